package file

import (
	"encoding/binary"

	"github.com/pawl-dev/pawl"
)

// A packer writes values one after the other, without names.
type packer struct{ buf []byte }

func (w *packer) uint(n uint64) { w.buf = binary.AppendUvarint(w.buf, n) }
func (w *packer) int(n int64)   { w.buf = binary.AppendVarint(w.buf, n) }

func (w *packer) text(s string) {
	w.uint(uint64(len(s)))
	w.buf = append(w.buf, s...)
}

func (w *packer) ids(ids []pawl.ID) {
	w.uint(uint64(len(ids)))
	for _, id := range ids {
		w.uint(uint64(id))
	}
}

// An unpacker reads them back. Its input had a checksum; if it ends too early
// anyway, the rest reads as zero.
type unpacker struct{ buf []byte }

func (r *unpacker) uint() uint64 {
	n, size := binary.Uvarint(r.buf)
	r.buf = r.buf[max(size, 0):]
	return n
}

func (r *unpacker) int() int64 {
	n, size := binary.Varint(r.buf)
	r.buf = r.buf[max(size, 0):]
	return n
}

func (r *unpacker) text() string { return string(r.bytes()) }

// bytes returns a text in place.
func (r *unpacker) bytes() []byte {
	n := min(r.uint(), uint64(len(r.buf)))
	s := r.buf[:n:n]
	r.buf = r.buf[n:]
	return s
}

func (r *unpacker) ids() []pawl.ID {
	n := min(r.uint(), uint64(len(r.buf)))
	if n == 0 {
		return nil
	}
	ids := make([]pawl.ID, n)
	for i := range ids {
		ids[i] = pawl.ID(r.uint())
	}
	return ids
}
