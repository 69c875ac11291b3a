package file

import (
	"encoding/binary"
	"maps"

	"github.com/pawl-dev/pawl"
)

// The index log holds what changed since the snapshot with the same generation: a
// header and then frames. The frames of one write end with a mark, and count only
// with it: half of them would not be a board. The log ends at the first damaged
// frame.
//
//	header: 0 "pawllog\n" · 8 format · 12 generation
//	frame:  0 length · 4 checksum · 8 type · 9 content
const (
	logMark   = "pawllog\n"
	logHeader = 20
	frameSize = 8
)

// The types of frames.
const (
	frameTask = 'T' // a record and its blob
	frameGone = 'G' // ids
	frameOp   = 'O' // an opRef
	frameMark = 'M' // a mark
	frameSum  = 'S' // a summary
)

// A logWriter puts frames together, to be appended in one write.
type logWriter struct{ buf []byte }

func (w *logWriter) frame(kind byte, content func(dst []byte) []byte) {
	at := len(w.buf)
	w.buf = append(w.buf, make([]byte, frameSize)...)
	w.buf = content(append(w.buf, kind))
	body := w.buf[at+frameSize:]
	binary.LittleEndian.PutUint32(w.buf[at:], uint32(len(body)))
	binary.LittleEndian.PutUint32(w.buf[at+4:], checksum(body))
}

func (w *logWriter) tasks(changes map[pawl.ID]*entry) {
	var gone []pawl.ID
	for id, e := range changes {
		if e == nil {
			gone = append(gone, id)
			continue
		}
		w.frame(frameTask, func(dst []byte) []byte {
			blob := appendBlob(nil, e)
			return append(appendRecord(dst, e, 0, len(blob)), blob...)
		})
	}
	w.ids(frameGone, gone)
}

func (w *logWriter) ids(kind byte, ids []pawl.ID) {
	if len(ids) > 0 {
		w.frame(kind, func(dst []byte) []byte {
			p := packer{dst}
			p.ids(ids)
			return p.buf
		})
	}
}

func (w *logWriter) ops(ops []opRef) {
	for _, op := range ops {
		w.frame(frameOp, op.append)
	}
}

func (w *logWriter) summary(sum []byte) {
	w.frame(frameSum, func(dst []byte) []byte { return append(dst, sum...) })
}

func (w *logWriter) mark(m *mark) { w.frame(frameMark, m.append) }

func newLog(generation uint64) []byte {
	head := append([]byte(logMark), make([]byte, logHeader-len(logMark))...)
	binary.LittleEndian.PutUint32(head[8:], format)
	binary.LittleEndian.PutUint64(head[12:], generation)
	return head
}

// logGeneration returns the generation that a log says it belongs to.
func logGeneration(text []byte) (generation uint64, ok bool, err error) {
	if len(text) < logHeader || string(text[:len(logMark)]) != logMark {
		return 0, false, nil
	}
	if f := binary.LittleEndian.Uint32(text[8:]); f > format {
		return 0, false, newerFormat("index log", int(f))
	}
	return binary.LittleEndian.Uint64(text[12:]), true, nil
}

// eachFrame goes through frames that are whole. end is where each ends.
func eachFrame(text []byte, do func(kind byte, content []byte, end int)) {
	for at := 0; len(text)-at >= frameSize; {
		rest := text[at:]
		size := int(binary.LittleEndian.Uint32(rest))
		if size < 1 || size > len(rest)-frameSize {
			break
		}
		body := rest[frameSize : frameSize+size]
		if checksum(body) != binary.LittleEndian.Uint32(rest[4:]) {
			break
		}
		at += frameSize + size
		do(body[0], body[1:], at)
	}
}

// logged is what a stretch of the log says.
type logged struct {
	changes map[pawl.ID]*entry
	ops     []opRef
	summary []byte // the last one; nil: there is none
	mark    *mark
	end     int // after the last mark
}

// readFrames goes through frames.
func readFrames(text []byte) logged {
	log := logged{changes: map[pawl.ID]*entry{}}
	changes := map[pawl.ID]*entry{} // since the last mark
	var ops []opRef
	var summary []byte
	eachFrame(text, func(kind byte, content []byte, end int) {
		switch kind {
		case frameTask:
			if len(content) >= recordSize {
				e := unpack(record(content[:recordSize]), content[recordSize:])
				changes[e.id] = e
			}
		case frameGone:
			r := unpacker{content}
			for _, id := range r.ids() {
				changes[id] = nil
			}
		case frameOp:
			if len(content) == opSize {
				ops = append(ops, parseOp(content))
			}
		case frameSum:
			summary = content
		case frameMark:
			m := parseMark(content)
			log.mark, log.end, log.summary = &m, end, summary
			log.ops = append(log.ops, ops...)
			maps.Copy(log.changes, changes)
			clear(changes)
			ops = ops[:0]
		}
	})
	return log
}
