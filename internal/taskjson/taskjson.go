// Package taskjson reads the JSON text of a task's file with positions, and
// rewrites it so that unchanged parts stay as they were written.
//
// [Decode] says what a file holds or, as a [Fault], why and where it cannot be
// read as a task. [Patch] changes values inside a text; [Encode] makes the text
// of a new file:
//
//	{
//	  "id": 12,
//	  "subject": "Refactor auth middleware",
//	  "description": "",
//	  "status": "pending",
//	  "blockedBy": [8, 11],
//	  "blocks": [],
//	  "owner": ""
//	}
//
// Reading is lenient where other tools write the same files in their own way:
// ids as decimal strings, null for a value that is not there, notes as one
// text, times as unix seconds, a byte order mark. An optional field of a type
// that Pawl does not read is kept under Extra like a field that it does not
// know; checks, criteria and evidence are read whole or not at all. Raw values (metadata, extra) are handed out without white space and
// otherwise as they are spelled.
//
// A file may hold tasks of another branch under the key merging, as git's merge
// driver leaves it. [Split] and [Join] take it apart and make it; nothing else
// here writes that key.
//
// [EncodeFields] and [DecodeFields] are the compact form that history keeps. [WriteLines] and
// [ReadLines] are the export. [EncodeFast] and [DecodeTask] are the JSON of package pawl,
// faster.
package taskjson

import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"

	"github.com/pawl-dev/pawl"
)

// A File is what the text of a task's file says.
type File struct {
	Task pawl.Task // BlockedBy and Blocks exactly as listed
	Has  Keys      // the keys whose values were read into Task
}

// Keys is a set of the keys that Pawl knows.
type Keys uint32

// Has reports whether the file says something under a known key. One that is
// null, or of a type that is not read, says nothing.
func (k Keys) Has(name string) bool {
	i := keyOf([]byte(name), unknown)
	return i != unknown && k&(1<<i) != 0
}

// key is the place of a known key in a file that Pawl makes: the fields of a [pawl.Task] up to
// extra stand in that order, and merging comes last.
type key uint8

// The keys whose meaning does not follow from the type of their values.
const (
	keyID        key = 0
	keyBlockedBy key = 4
	keyBlocks    key = 5
	keyOwner     key = 6
)

var (
	keyNames   = namesOf(reflect.TypeFor[pawl.Task]())
	unknown    = key(len(keyNames))
	keyMerging = unknown - 1
)

func namesOf(task reflect.Type) (names []string) {
	for i := range task.NumField() {
		name, _, _ := strings.Cut(task.Field(i).Tag.Get("json"), ",")
		if name == nameExtra {
			break
		}
		names = append(names, name)
	}
	return append(names, "merging")
}

// core reports whether k is one of the seven keys that a file of Pawl's always
// has, and whose damage is the damage of the task.
func (k key) core() bool { return k <= keyOwner }

// keyOf returns the key with a name. It looks behind the key before it first: files are
// written in that order.
func keyOf(name []byte, before key) key {
	k := before
	for range unknown {
		if k++; k >= unknown {
			k = 0
		}
		if string(name) == keyNames[k] {
			return k
		}
	}
	return unknown
}

// in returns a pointer to what a key says of a task. Its type says how that is read and written.
func (k key) in(t *pawl.Task) any {
	if k == keyMerging {
		return &t.Merging
	}
	v := reflect.ValueOf(t).Elem().Field(int(k)).Addr().Interface()
	if ids, is := v.(*[]pawl.ID); is && !k.core() {
		return (*former)(ids)
	}
	return v
}

// Decode reads a task's file. The error is a [*Fault].
func Decode(text []byte) (File, error) {
	var buf [usualMembers]member
	file, _, fault := decode(text, buf[:0])
	if fault != nil {
		return File{}, fault
	}
	return file, nil
}

// usualMembers is room for the members of a file without an allocation.
const usualMembers = 24

// scratch are files that decode fills, each of which would be memory of its own else.
var scratch = sync.Pool{New: func() any { return new(File) }}

// decode also returns the members of the file's object, appended to buf.
func decode(text []byte, buf []member) (File, []member, *Fault) {
	if len(text) > pawl.MaxTask {
		return File{}, nil, &Fault{1, 1, "the file is larger than 1 MiB"}
	}
	members, fault := parse(text, buf, fileDepth)
	if fault != nil {
		return File{}, nil, fault
	}
	into := scratch.Get().(*File)
	defer scratch.Put(into)
	*into = File{Task: pawl.Task{Status: pawl.Pending}}
	var seen Keys
	for i := range members {
		m := &members[i]
		if m.known == unknown {
			into.keep(m.name(text), compact(text, m.val))
			continue
		}
		if seen&(1<<m.known) != 0 {
			return File{}, nil, faultAt(text, m.key.start, "%q stands here a second time", keyNames[m.known])
		}
		seen |= 1 << m.known
		if m.val.null(text) && m.known != keyID {
			continue
		}
		bad := readValue(m.known.in(&into.Task), text, m.val)
		switch {
		case bad == nowhere:
			into.Has |= 1 << m.known
		case m.known.core():
			return File{}, nil, faultAt(text, bad, "%s", m.known.problem())
		default:
			if m.known == keyMerging && tooDeep(text, m.val) {
				return File{}, nil, faultAt(text, m.val.start, "brackets are nested too deep here: %d deep is the limit", pawl.MaxDepth)
			}
			m.foreign = true
			into.keep(keyNames[m.known], compact(text, m.val))
		}
	}
	if seen&(1<<keyID) == 0 {
		return File{}, nil, faultAt(text, len(text)-len(trimLeft(text)), `"id" is missing`)
	}
	return *into, members, nil
}

// Unread returns the faults of checks and criteria that Pawl cannot read, in a file that
// [Decode] reads: Decode keeps them under Extra, and nothing meets them.
func Unread(text []byte) []Fault {
	var buf [usualMembers]member
	members, fault := parse(text, buf[:0], fileDepth)
	if fault != nil {
		return nil
	}
	var all []Fault
	var t pawl.Task
	for _, m := range members {
		if m.known == unknown || m.val.null(text) {
			continue
		}
		switch into := m.known.in(&t).(type) {
		case *[]pawl.Check, *[]pawl.Criterion:
			if bad := readValue(into, text, m.val); bad != nowhere {
				all = append(all, *faultAt(text, bad, "%s", m.known.problem()))
			}
		}
	}
	return all
}

func (f *File) keep(name string, raw json.RawMessage) {
	if f.Task.Extra == nil {
		f.Task.Extra = make(map[string]json.RawMessage)
	}
	f.Task.Extra[name] = raw
}
