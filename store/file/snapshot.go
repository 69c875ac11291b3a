package file

import (
	"encoding/binary"
	"hash/crc32"
	"sort"

	"github.com/pawl-dev/pawl"
)

// A snapshot is the index file, used in place: nothing of it is decoded before
// somebody asks.
//
//	header, 8 KiB:
//	   0 "pawlidx2" · 8 format · 12 checksum of the header, this field zero
//	  16 generation · 24 number of records · 32 number of op ids
//	  36 checksum of what follows the header · 40 length of the mark · 44 mark
//	records, 64 bytes each, by id
//	op ids, 28 bytes each
//	blobs
type snapshot struct {
	generation uint64
	records    []byte
	ops        []byte
	blobs      []byte
}

const (
	format       = 2 // of index and journal; a higher one is refused
	headerSize   = 8 << 10
	snapshotMark = "pawlidx2"
)

// checksum is the CRC-32 of zlib, which every language has at hand. Another
// polynomial would have its tables made at each start of the program.
func checksum(p []byte) uint32 { return crc32.ChecksumIEEE(p) }

func (s *snapshot) len() int { return len(s.records) / recordSize }

func (s *snapshot) record(i int) record {
	return record(s.records[i*recordSize : (i+1)*recordSize])
}

func (s *snapshot) entry(i int) *entry {
	rec := s.record(i)
	return unpack(rec, s.blob(rec))
}

// blob returns the blob of a record, or nothing if its offset lies outside.
func (s *snapshot) blob(rec record) []byte {
	offset, length := rec.blob()
	if offset > len(s.blobs) || length > len(s.blobs)-offset {
		return nil
	}
	return s.blobs[offset : offset+length]
}

// find returns where the record of id is.
func (s *snapshot) find(id pawl.ID) (int, bool) {
	n := s.len()
	i := sort.Search(n, func(i int) bool { return s.record(i).id() >= id })
	return i, i < n && s.record(i).id() == id
}

// parseSnapshot reads an index file. A file that is damaged or of no use is as
// good as none; one of a newer format is an error.
func parseSnapshot(text []byte) (*snapshot, *mark, error) {
	head, err := parseHead(text, int64(len(text)))
	if head == nil || checksum(text[headerSize:]) != head.sum {
		return nil, nil, err
	}
	body := text[headerSize:]
	s := &snapshot{
		generation: head.generation,
		records:    body[:head.records],
		ops:        body[head.records : head.records+head.ops],
		blobs:      body[head.records+head.ops:],
	}
	return s, &head.mark, nil
}

// A head is what the header of an index file says.
type head struct {
	generation   uint64
	records, ops int64 // bytes
	sum          uint32
	mark         mark
}

// parseHead reads the header of an index file of a size; nil: it is of no use.
func parseHead(text []byte, size int64) (*head, error) {
	if len(text) < headerSize || string(text[:8]) != snapshotMark {
		return nil, nil
	}
	le := binary.LittleEndian
	if has := le.Uint32(text[8:]); has > format {
		return nil, newerFormat("index", int(has))
	}
	if headerSum(text[:headerSize]) != le.Uint32(text[12:]) {
		return nil, nil
	}
	body := uint64(size - headerSize)
	count, ops, packed := le.Uint64(text[24:]), uint64(le.Uint32(text[32:]))*opSize, le.Uint32(text[40:])
	if packed > headerSize-44 || count > body || count*recordSize+ops > body {
		return nil, nil // the checksum is right, and it is not by us
	}
	return &head{
		generation: le.Uint64(text[16:]), records: int64(count * recordSize), ops: int64(ops),
		sum: le.Uint32(text[36:]), mark: parseMark(text[44 : 44+packed]),
	}, nil
}

func headerSum(header []byte) uint32 {
	sum := checksum(header[:12])
	sum = crc32.Update(sum, crc32.IEEETable, []byte{0, 0, 0, 0})
	return crc32.Update(sum, crc32.IEEETable, header[16:])
}

// appendSnapshot makes the index file of a table.
func appendSnapshot(generation uint64, t *table, ops []opRef, m *mark) []byte {
	le := binary.LittleEndian
	count := 0
	t.each(func(row) bool {
		count++
		return true
	})
	text := make([]byte, headerSize, headerSize+count*(recordSize+96)+len(ops)*opSize)
	var blobs []byte
	t.each(func(r row) bool {
		at := len(blobs)
		if r.entry == nil { // as it stands in the snapshot before
			blobs = append(blobs, t.base.blob(r.record)...)
			text = append(text, r.record...)
			le.PutUint32(text[len(text)-recordSize+44:], uint32(at))
			return true
		}
		blobs = appendBlob(blobs, r.entry)
		text = appendRecord(text, r.entry, at, len(blobs)-at)
		return true
	})
	for _, op := range ops {
		text = op.append(text)
	}
	text = append(text, blobs...)

	header := text[:headerSize]
	copy(header, snapshotMark)
	le.PutUint32(header[8:], format)
	le.PutUint64(header[16:], generation)
	le.PutUint64(header[24:], uint64(count))
	le.PutUint32(header[32:], uint32(len(ops)))
	le.PutUint32(header[36:], checksum(text[headerSize:]))
	packed := m.append(nil)
	le.PutUint32(header[40:], uint32(len(packed)))
	copy(header[44:], packed)
	le.PutUint32(header[12:], headerSum(header))
	return text
}

// A mark says up to where index and journal agree.
type mark struct {
	revision   pawl.Revision
	lastID     pawl.ID
	applied    position // the end of the last record whose files are in place
	checkpoint position // where the latest checkpoint begins
	since      int      // records after it
	boot       string
	folder     fileInfo      // the folder when its names were last known
	folderRacy bool          // so young that it may have changed unseen
	free       int           // tasks that anybody may claim, and one; zero: nobody has counted
	origin     pawl.Revision // that short revisions count from (see origin.go)
	acyclic    bool          // no dependencies are known to form a cycle
	kept       uint64        // how the files for git looked when nothing was missing in them; zero: that is not known
	epoch      int64         // see [pawl.Reader]
}

func (m *mark) append(dst []byte) []byte {
	w := packer{dst}
	w.int(int64(m.revision))
	w.uint(uint64(m.lastID))
	for _, at := range []position{m.applied, m.checkpoint} {
		w.uint(uint64(at.segment))
		w.uint(uint64(at.offset))
	}
	w.uint(uint64(m.since))
	w.text(m.boot)
	w.uint(m.folder.Device)
	w.uint(m.folder.Inode)
	w.int(m.folder.Size)
	w.int(m.folder.Mtime)
	w.int(m.folder.Ctime)
	racy := uint64(0)
	if m.folderRacy {
		racy = 1
	}
	w.uint(racy)
	w.uint(uint64(m.free))
	w.int(int64(m.origin))
	acyclic := uint64(0)
	if m.acyclic {
		acyclic = 1
	}
	w.uint(acyclic)
	w.uint(m.kept)
	w.int(m.epoch)
	return w.buf
}

func parseMark(p []byte) mark {
	r := unpacker{p}
	return mark{
		revision:   pawl.Revision(r.int()),
		lastID:     pawl.ID(r.uint()),
		applied:    position{segment: int(r.uint()), offset: int64(r.uint())},
		checkpoint: position{segment: int(r.uint()), offset: int64(r.uint())},
		since:      int(r.uint()),
		boot:       r.text(),
		folder:     fileInfo{Kind: kindFolder, Device: r.uint(), Inode: r.uint(), Size: r.int(), Mtime: r.int(), Ctime: r.int()},
		folderRacy: r.uint() == 1,
		free:       int(r.uint()),
		origin:     pawl.Revision(r.int()),
		acyclic:    r.uint() == 1,
		kept:       r.uint(),
		epoch:      r.int(),
	}
}

// An opRef says where the journal has the set that came of a request's op id.
type opRef struct {
	hash uint64
	at   int64 // Unix seconds
	in   position
}

const opSize = 28

func (o opRef) append(dst []byte) []byte {
	le := binary.LittleEndian
	dst = le.AppendUint64(dst, o.hash)
	dst = le.AppendUint64(dst, uint64(o.at))
	dst = le.AppendUint32(dst, uint32(o.in.segment))
	return le.AppendUint64(dst, uint64(o.in.offset))
}

func parseOp(p []byte) opRef {
	le := binary.LittleEndian
	return opRef{
		hash: le.Uint64(p),
		at:   int64(le.Uint64(p[8:])),
		in:   position{segment: int(le.Uint32(p[16:])), offset: int64(le.Uint64(p[20:]))},
	}
}

// hashOf is FNV-1a: what it is compared with was written by ourselves, and a
// file that is made to collide hides from nobody but its author.
func hashOf[T string | []byte](text T) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}
