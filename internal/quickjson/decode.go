package quickjson

import (
	"encoding/json"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/jsonscan"
)

// DecodeTask reads a task as package json does, several times as fast if Pawl wrote it.
func DecodeTask(text []byte) (t pawl.Task, err error) {
	if decoded(text, &t) {
		return t, nil
	}
	t = pawl.Task{}
	err = json.Unmarshal(text, &t)
	return t, err
}

// decoded is false of what it does not expect; then t means nothing.
func decoded(text []byte, t *pawl.Task) bool {
	return jsonscan.All(text, func(s *jsonscan.Scan) { scanTask(s, t) })
}

var statuses = []string{string(pawl.Pending), string(pawl.InProgress), string(pawl.Completed)}

// scanTask knows all keys of a task. What few tasks have is left to package json.
func scanTask(s *jsonscan.Scan, t *pawl.Task) {
	s.Object(func(key []byte) {
		switch string(key) {
		case "id":
			t.ID = pawl.ID(s.Int())
		case "subject":
			t.Subject = s.Text()
		case "description":
			t.Description = s.Text()
		case "status":
			t.Status = pawl.Status(s.Word(statuses))
		case "blockedBy":
			scanIDs(s, &t.BlockedBy)
		case "blocks":
			scanIDs(s, &t.Blocks)
		case "owner":
			t.Owner = s.Text()
		case "activeForm":
			t.ActiveForm = s.Text()
		case "priority":
			scanPriority(s, &t.Priority)
		case "parent":
			t.Parent = pawl.ID(s.Int())
		case "was":
			scanIDs(s, &t.Was)
		case "labels":
			s.Once(t.Labels == nil)
			t.Labels = s.Texts()
		case "notes":
			scanNotes(s, &t.Notes)
		case "metadata":
			scanMap(s, &t.Metadata)
		case "createdAt":
			t.CreatedAt = s.Time()
		case "updatedAt":
			t.UpdatedAt = s.Time()
		case "startedAt":
			t.StartedAt = s.Time()
		case "completedAt":
			t.CompletedAt = s.Time()
		case "extra":
			scanMap(s, &t.Extra)
		case "claim":
			scanClaim(s, &t.Claim)
		case "expired":
			t.Expired = int(s.Int())
		case "blockers":
			scanIDs(s, &t.Blockers)
		case "children":
			scanIDs(s, &t.Children)
		case "openChildren":
			t.OpenChildren = int(s.Int())
		case "urgency":
			scanPriority(s, &t.Urgency)
		case "height":
			t.Height = int(s.Int())
		case "checked":
			t.Checked = pawl.Checked(s.Text())
		case "conflicted":
			t.Conflicted = s.Bool()
		case "damage":
			t.Damage = s.Text()
		case "hold":
			s.Once(t.Hold == nil)
			slowly(s, &t.Hold)
		case "checks":
			s.Once(t.Checks == nil)
			slowly(s, &t.Checks)
		case "accept":
			s.Once(t.Accept == nil)
			slowly(s, &t.Accept)
		case "evidence":
			s.Once(t.Evidence == nil)
			slowly(s, &t.Evidence)
		case "merging":
			s.Once(t.Merging == nil)
			slowly(s, &t.Merging)
		default: // which may be one of these in other letters
			s.GiveUp()
		}
	})
}

// slowly has package json read a value.
func slowly(s *jsonscan.Scan, into any) {
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

func scanNotes(s *jsonscan.Scan, into *[]pawl.Note) {
	s.Once(*into == nil)
	all := []pawl.Note{}
	s.Array(func() {
		var n pawl.Note
		s.Object(func(key []byte) {
			switch string(key) {
			case "at":
				n.At = s.Time()
			case "by":
				n.By = s.Text()
			case "text":
				n.Text = s.Text()
			default:
				s.GiveUp()
			}
		})
		all = append(all, n)
	})
	*into = all
}

// scanMap copies the values: a scan returns parts of the text.
func scanMap(s *jsonscan.Scan, into *map[string]json.RawMessage) {
	s.Once(*into == nil)
	all := map[string]json.RawMessage{}
	s.Object(func(key []byte) { all[string(key)] = append(json.RawMessage(nil), s.Raw()...) })
	*into = all
}

func scanClaim(s *jsonscan.Scan, into *pawl.Claim) {
	s.Once(*into == pawl.Claim{})
	var c pawl.Claim
	s.Object(func(key []byte) {
		switch string(key) {
		case "session":
			c.Session = s.Text()
		case "agent":
			c.Agent = s.Text()
		case "token":
			c.Token = pawl.Revision(s.Int())
		case "until":
			c.Until = s.Time()
		case "clone":
			c.Clone = s.Text()
		case "confirmed":
			c.Confirmed = s.Time()
		case "lease":
			lease, err := time.ParseDuration(s.Text())
			if err != nil {
				s.GiveUp()
			}
			c.Lease = lease
		default:
			s.GiveUp()
		}
	})
	*into = c
}
