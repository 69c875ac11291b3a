package merge

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
)

// Values whose meaning is not known here (metadata, and keys of later versions and
// of other programs) are merged by their shape, where both sides changed one:
//
//	{…}                    by key, at every depth
//	[{"id": …}, …]         by element, known by its id, or else its name, where every
//	                       element has one of its own
//	["…", …], [{…}, …]     as a collection: what one side added is there, what one removed is not
//	anything else          the value that comes last in byte order stands; a key that
//	                       one side removed and the other changed stays

// object merges metadata, or the keys that are not known.
func (x *meeting) object(field pawl.Field, b, o, t map[string]json.RawMessage) map[string]json.RawMessage {
	if sameRaw(o, t) || sameRaw(t, b) {
		return o
	}
	if sameRaw(o, b) {
		return t
	}
	told := func(path string, ours bool, value json.RawMessage) {
		x.tell(Noted{Field: field, Side: sideOf(ours), Key: path, Value: string(value)})
	}
	v := values{lost: told, theirs: x.m.sided}
	return v.keys("", b, o, t)
}

func sameRaw(a, b map[string]json.RawMessage) bool {
	return maps.EqualFunc(a, b, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) })
}

// values merges values.
type values struct {
	lost   func(path string, ours bool, value json.RawMessage) // is told of one that yielded, and whether it was ours
	theirs bool                                                // of two theirs stands
}

func (x values) keys(path string, b, o, t map[string]json.RawMessage) map[string]json.RawMessage {
	merged := map[string]json.RawMessage{}
	all := maps.Clone(o)
	if all == nil {
		all = map[string]json.RawMessage{}
	}
	maps.Copy(all, t)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		under := key
		if path != "" {
			under = path + "." + key
		}
		if v := x.value(under, b[key], o[key], t[key]); v != nil {
			merged[key] = v
		}
	}
	return merged
}

// value merges a value; nil: it is not there.
func (x values) value(path string, b, o, t json.RawMessage) json.RawMessage {
	switch {
	case bytes.Equal(o, t) && (o == nil) == (t == nil), t != nil && bytes.Equal(t, b), t == nil && b == nil:
		return o
	case o != nil && bytes.Equal(o, b), o == nil && b == nil:
		return t
	case o == nil:
		return t // removed, and changed
	case t == nil:
		return o
	}
	if o[0] == '{' && t[0] == '{' {
		var mb, mo, mt map[string]json.RawMessage
		if json.Unmarshal(o, &mo) == nil && json.Unmarshal(t, &mt) == nil {
			if len(b) > 0 && b[0] == '{' {
				_ = json.Unmarshal(b, &mb)
			}
			merged := x.keys(path, mb, mo, mt)
			switch {
			case sameRaw(merged, mo):
				return o
			case sameRaw(merged, mt):
				return t
			}
			return encodeObject(merged)
		}
	}
	if o[0] == '[' && t[0] == '[' {
		if v := x.list(path, b, o, t); v != nil {
			return v
		}
	}
	if x.oursFirst(o, t) {
		x.lost(path, false, t)
		return o
	}
	x.lost(path, true, o)
	return t
}

func (x values) oursFirst(o, t json.RawMessage) bool { return !x.theirs && bytes.Compare(o, t) >= 0 }

// list merges two lists; nil: they are to be taken as a whole.
func (x values) list(path string, b, o, t json.RawMessage) json.RawMessage {
	var lb, lo, lt []json.RawMessage
	if json.Unmarshal(o, &lo) != nil || json.Unmarshal(t, &lt) != nil {
		return nil
	}
	if len(b) > 0 && b[0] == '[' {
		_ = json.Unmarshal(b, &lb)
	}
	oursFirst := x.oursFirst(o, t)
	var merged []json.RawMessage
	if ib, io, it := index(lb), index(lo), index(lt); ib != nil && io != nil && it != nil && len(lo)+len(lt) > 0 {
		values := x.keys(path, ib, io, it)
		first, second := lo, lt
		if !oursFirst {
			first, second = lt, lo
		}
		for _, e := range slices.Concat(first, second) {
			name := nameOf(e)
			if v, ok := values[name]; ok {
				delete(values, name)
				merged = append(merged, v)
			}
		}
	} else {
		strings := func(list []json.RawMessage) (all []string, ok bool) {
			for _, e := range list {
				if e[0] != '"' && e[0] != '{' {
					return nil, false
				}
				all = append(all, string(e))
			}
			return all, true
		}
		so, ok := strings(lo)
		st, too := strings(lt)
		if !ok || !too {
			return nil
		}
		sb, _ := strings(lb)
		for _, e := range mergeSet(sb, so, st, oursFirst) {
			merged = append(merged, json.RawMessage(e))
		}
	}
	text := []byte{'['}
	for i, e := range merged {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, e...)
	}
	return append(text, ']')
}

// index is a list by the names of its elements; nil: they have none, or not each
// its own.
func index(list []json.RawMessage) map[string]json.RawMessage {
	by := make(map[string]json.RawMessage, len(list))
	for _, e := range list {
		name := nameOf(e)
		if _, twice := by[name]; twice || name == "" {
			return nil
		}
		by[name] = e
	}
	return by
}

// nameOf is by what an element of a list is known: its id, or else its name.
func nameOf(e json.RawMessage) string {
	var o map[string]json.RawMessage
	if len(e) == 0 || e[0] != '{' || json.Unmarshal(e, &o) != nil {
		return ""
	}
	for _, key := range []string{"id", "name"} {
		if v := o[key]; len(v) > 0 && (v[0] == '"' || v[0] >= '0' && v[0] <= '9') {
			return key + ":" + string(v)
		}
	}
	return ""
}

// encodeObject writes an object with its keys in order, and its values as they are
// spelled.
func encodeObject(o map[string]json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	names := json.NewEncoder(&b)
	names.SetEscapeHTML(false)
	for i, key := range slices.Sorted(maps.Keys(o)) {
		if i > 0 {
			b.WriteByte(',')
		}
		_ = names.Encode(key)
		b.Truncate(b.Len() - 1) // its newline
		b.WriteByte(':')
		b.Write(o[key])
	}
	b.WriteByte('}')
	return b.Bytes()
}
