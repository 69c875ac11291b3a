package pawl

import (
	"strings"
	"time"
	"unicode"
)

// ValidClone reports whether an id can be that of a clone: at most [MaxClone] of the
// ASCII letters, digits, dots, underscores and hyphens, the first one a letter or a
// digit. So it can stand on a terminal and in a file's name as it is.
func ValidClone(id string) bool {
	plain := func(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
	if id == "" || len(id) > MaxClone || !plain(id[0]) {
		return false
	}
	for i := range len(id) {
		if !plain(id[i]) && !strings.ContainsRune("-._", rune(id[i])) {
			return false
		}
	}
	return true
}

// Check fails with Invalid for a claim that no board makes: another clone's comes
// from a remote, where anybody may have written it.
func (c Claim) Check() error {
	var f faults
	if c.Clone != "" && !ValidClone(c.Clone) {
		f.add("claim.clone", "is not the id of a clone")
	}
	for _, name := range []struct{ path, text string }{{"claim.session", c.Session}, {"claim.agent", c.Agent}} {
		f.line(name.path, name.text, MaxName)
		if len(f) == 0 && strings.ContainsFunc(name.text, unicode.IsControl) {
			f.add(name.path, "has control characters")
		}
	}
	if c.Token < 0 || c.Token == 0 && c != (Claim{}) {
		f.add("claim.token", "is %d, no revision", int64(c.Token))
	}
	if c.Lease < 0 || time.Duration(c.Lease) > MaxLease {
		f.add("claim.lease", "is %v; the most is %v", c.Lease, MaxLease)
	}
	if (c.Lease == 0) != c.Until.IsZero() {
		f.add("claim.until", "does not fit its lease")
	}
	if len(f) > 0 {
		return unworkable(f)
	}
	return nil
}

// CloneHost returns the name of the machine in the id of a clone: "mac-mini" of
// "mac-mini-3f2a9c1d". An id of another form is returned as it is.
func CloneHost(clone string) string {
	const digits = 8
	host := len(clone) - digits - 1
	if host < 1 || clone[host] != '-' || strings.Trim(clone[host+1:], "0123456789abcdef") != "" {
		return clone
	}
	return clone[:host]
}
