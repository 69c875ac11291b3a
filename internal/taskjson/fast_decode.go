package taskjson

import (
	"encoding/json"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/jsonscan"
)

// DecodeTask reads a task as package json does, several times as fast if Pawl wrote it.
func DecodeTask(text []byte) (t pawl.Task, err error) {
	if decodedFast(text, &t) {
		return t, nil
	}
	t = pawl.Task{}
	err = json.Unmarshal(text, &t)
	return t, err
}

// decoded is false of what it does not expect; then t means nothing.
func decodedFast(text []byte, t *pawl.Task) bool {
	return jsonscan.All(text, func(s *jsonscan.Scan) {
		s.Usual = statuses
		scanTask(s, t)
	})
}

var statuses = []string{string(pawl.Pending), string(pawl.InProgress), string(pawl.Completed)}

// scanTask knows all keys of a task: a key that it does not may be one of these in other
// letters. Keys that few tasks have are left to package json.
func scanTask(s *jsonscan.Scan, t *pawl.Task) {
	s.Fields(
		jsonscan.Key("id", (*int64)(&t.ID)),
		jsonscan.Key("subject", &t.Subject),
		jsonscan.Key("description", &t.Description),
		jsonscan.Key("status", (*string)(&t.Status)),
		jsonscan.Key("blockedBy", func() { scanIDs(s, &t.BlockedBy) }),
		jsonscan.Key("blocks", func() { scanIDs(s, &t.Blocks) }),
		jsonscan.Key("owner", &t.Owner),
		jsonscan.Key("activeForm", &t.ActiveForm),
		jsonscan.Key("priority", func() { scanPriority(s, &t.Priority) }),
		jsonscan.Key("parent", (*int64)(&t.Parent)),
		jsonscan.Key("was", func() { scanIDs(s, &t.Was) }),
		jsonscan.Key("labels", func() {
			s.Once(t.Labels == nil)
			t.Labels = s.Texts()
		}),
		jsonscan.Key("notes", func() { jsonscan.Objects(s, &t.Notes, 0, func(n *pawl.Note) { scanNote(s, n) }) }),
		jsonscan.Key("metadata", func() { scanMap(s, &t.Metadata) }),
		jsonscan.Key("createdAt", &t.CreatedAt),
		jsonscan.Key("updatedAt", &t.UpdatedAt),
		jsonscan.Key("startedAt", &t.StartedAt),
		jsonscan.Key("completedAt", &t.CompletedAt),
		jsonscan.Key("extra", func() { scanMap(s, &t.Extra) }),
		jsonscan.Key("claim", func() { scanClaim(s, &t.Claim) }),
		jsonscan.Key("expired", &t.Expired),
		jsonscan.Key("blockers", func() { scanIDs(s, &t.Blockers) }),
		jsonscan.Key("children", func() { scanIDs(s, &t.Children) }),
		jsonscan.Key("openChildren", &t.OpenChildren),
		jsonscan.Key("urgency", func() { scanPriority(s, &t.Urgency) }),
		jsonscan.Key("height", &t.Height),
		jsonscan.Key("checked", (*string)(&t.Checked)),
		jsonscan.Key("conflicted", &t.Conflicted),
		jsonscan.Key("damage", &t.Damage),
		jsonscan.Key("hold", func() { slowly(s, t.Hold == nil, &t.Hold) }),
		jsonscan.Key("checks", func() { slowly(s, t.Checks == nil, &t.Checks) }),
		jsonscan.Key("accept", func() { slowly(s, t.Accept == nil, &t.Accept) }),
		jsonscan.Key("evidence", func() { slowly(s, t.Evidence == nil, &t.Evidence) }),
		jsonscan.Key("merging", func() { slowly(s, t.Merging == nil, &t.Merging) }),
	)
}

// slowly has package json read a value, the first time that its key comes.
func slowly(s *jsonscan.Scan, first bool, into any) {
	s.Once(first)
	if text := s.Raw(); text == nil || json.Unmarshal(text, into) != nil {
		s.GiveUp()
	}
}

func scanIDs(s *jsonscan.Scan, into *[]pawl.ID) {
	s.Once(*into == nil)
	all := []pawl.ID{}
	s.Array(func() { all = append(all, pawl.ID(s.Int())) })
	*into = all
}

func scanPriority(s *jsonscan.Scan, into *pawl.Priority) {
	if into.UnmarshalText([]byte(s.Text())) != nil {
		s.GiveUp()
	}
}

func scanNote(s *jsonscan.Scan, n *pawl.Note) {
	s.Fields(jsonscan.Key("at", &n.At), jsonscan.Key("by", &n.By), jsonscan.Key("text", &n.Text))
}

// scanMap copies the values: a scan returns parts of the text.
func scanMap(s *jsonscan.Scan, into *map[string]json.RawMessage) {
	s.Once(*into == nil)
	all := map[string]json.RawMessage{}
	s.Object(func(key []byte) { all[string(key)] = append(json.RawMessage(nil), s.Raw()...) })
	*into = all
}

func scanClaim(s *jsonscan.Scan, c *pawl.Claim) {
	s.Once(*c == pawl.Claim{})
	s.Fields(
		jsonscan.Key("session", &c.Session),
		jsonscan.Key("agent", &c.Agent),
		jsonscan.Key("token", (*int64)(&c.Token)),
		jsonscan.Key("until", &c.Until),
		jsonscan.Key("clone", &c.Clone),
		jsonscan.Key("confirmed", &c.Confirmed),
		jsonscan.Key("lease", func() {
			lease, err := time.ParseDuration(s.Text())
			if err != nil {
				s.GiveUp()
			}
			c.Lease = lease
		}),
	)
}
