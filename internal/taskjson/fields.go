package taskjson

import (
	"slices"
	"strconv"

	"github.com/pawl-dev/pawl"
)

// The names in history of fields that are no keys of a file.
const (
	nameExtra   = string(pawl.FieldExtra)
	nameClaim   = string(pawl.FieldClaim)
	nameExpired = string(pawl.FieldExpired)
)

// EncodeFields writes some fields of a task on one line, as history keeps them;
// all of them, the claim included, when fields is nil. A field that is not set
// is left out.
//
//	{"id":12,"status":"in_progress","owner":"ada","claim":{"token":7,"lease":"15m0s"}}
func EncodeFields(t *pawl.Task, fields []pawl.Field) []byte {
	asked := func(name string) bool { return fields == nil || slices.Contains(fields, pawl.Field(name)) }
	dst := []byte{'{'}
	put := func(name string, value []byte) {
		if len(value) > 0 {
			dst = oneLine.member(dst, name, value, 0)
		}
	}
	for k := range unknown {
		if k == keyID || asked(keyNames[k]) {
			put(keyNames[k], appendField(nil, t, k))
		}
	}
	if asked(nameExtra) {
		put(nameExtra, appendObject(nil, t.Extra, fileDepth-1))
	}
	if asked(nameClaim) && t.Claim != (pawl.Claim{}) {
		put(nameClaim, appendClaim(nil, &t.Claim))
	}
	if asked(nameExpired) {
		put(nameExpired, appendValue(nil, &t.Expired, false))
	}
	return append(dst, '}')
}

func appendClaim(dst []byte, c *pawl.Claim) []byte {
	dst = append(dst, '{')
	put := func(name string, set bool, value []byte) {
		if set {
			dst = oneLine.member(dst, name, value, 0)
		}
	}
	until := appendTime(nil, c.Until)
	put("session", c.Session != "", appendString(nil, c.Session))
	put("agent", c.Agent != "", appendString(nil, c.Agent))
	put("token", c.Token != 0, strconv.AppendInt(nil, int64(c.Token), 10))
	put("lease", c.Lease != 0, appendString(nil, c.Lease.String()))
	put("until", len(until) > 0, until)
	confirmed := appendTime(nil, c.Confirmed)
	put("clone", c.Clone != "", appendString(nil, c.Clone))
	put("confirmed", len(confirmed) > 0, confirmed)
	return append(dst, '}')
}

// DecodeFields reads what EncodeFields wrote. Fields that are not there stay
// zero. The error is a [*Fault].
func DecodeFields(text []byte) (*pawl.Task, error) {
	var buf [usualMembers]member
	members, fault := parse(text, buf[:0], fieldDepth)
	if fault != nil {
		return nil, fault
	}
	t := &pawl.Task{}
	for _, m := range members {
		ok := true
		switch name := m.name(text); name {
		case nameExtra:
			ok = readObject(&t.Extra, text, m.val)
		case nameClaim:
			ok = readClaim(&t.Claim, text, m.val)
		case nameExpired:
			ok = readWhole(&t.Expired, text, m.val)
		default:
			ok = m.known != unknown && readValue(m.known.in(t), text, m.val) == nowhere
		}
		if !ok {
			return nil, faultAt(text, m.key.start, "%q is not a field as history keeps it", m.name(text))
		}
	}
	return t, nil
}

func readClaim(dst *pawl.Claim, text []byte, at span) bool {
	return readFields(text, at, true, field{"session", &dst.Session}, field{"agent", &dst.Agent}, field{"token", (*int64)(&dst.Token)},
		field{"lease", &dst.Lease}, field{"until", &dst.Until}, field{"clone", &dst.Clone}, field{"confirmed", &dst.Confirmed})
}

func readInt(dst *int64, text []byte, at span) bool {
	n, err := strconv.ParseInt(string(at.of(text)), 10, 64)
	*dst = n
	return err == nil
}
