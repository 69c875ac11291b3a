package file

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// A journalRecord is one line of the journal. It has been committed when it is
// there whole.
//
//	{"crc":"5f0c11aa","body":{"kind":"commit","boot":"…","clock":…,"rev":7,…}}
//
// The checksum is that of the body's bytes.
type journalRecord struct {
	Format int           `json:"format,omitempty"` // of checkpoints, which begin each segment
	Kind   recordKind    `json:"kind"`
	Boot   string        `json:"boot"`             // the run of the machine
	Clock  int64         `json:"clock,omitempty"`  // the file system's time before the commit, in nanoseconds
	Rev    pawl.Revision `json:"rev"`              // of the board after this record
	Jumped pawl.Revision `json:"jumped,omitempty"` // of the checkpoint of a jump (see jump.go): the revision before it
	LastID pawl.ID       `json:"lastId"`
	Origin pawl.Revision `json:"origin,omitempty"` // of checkpoints: what short revisions count from
	Epoch  int64         `json:"epoch,omitempty"`  // of checkpoints: see [pawl.Reader]
	Sets   []journalSet  `json:"sets,omitempty"`
	Files  []journalFile `json:"files,omitempty"`
	Ranks  [][3]int64    `json:"ranks,omitempty"` // id, urgency, height
	// Claims are those that a commit altered; of a checkpoint, all there are.
	Claims []journalClaim `json:"claims,omitempty"`
	Ended  []endedClaim   `json:"ended,omitempty"` // see ended.go; of a checkpoint, all that may come back
	Mark   *journalMark   `json:"mark,omitempty"`  // what becomes of .highwatermark
	Moved  []journalMove  `json:"moved,omitempty"` // tasks that have another number from then on
}

type recordKind string

const (
	commitRecord     recordKind = "commit"
	externalRecord   recordKind = "external" // what somebody else did to the files: never done again
	mendRecord       recordKind = "mend"     // a text that was known put in the place of one that cannot be read
	rewriteRecord    recordKind = "rewrite"  // whole texts of many files, as a merge makes them
	checkpointRecord recordKind = "checkpoint"
)

// first is the revision of the record's first set, which names its temporary
// files.
func (r *journalRecord) first() pawl.Revision {
	if len(r.Sets) == 0 {
		return r.Rev
	}
	return r.Sets[0].Rev
}

func (r *journalRecord) file(id pawl.ID) *journalFile {
	for i := range r.Files {
		if r.Files[i].ID == id {
			return &r.Files[i]
		}
	}
	return nil
}

// A journalSet is a change set.
type journalSet struct {
	Rev     pawl.Revision   `json:"rev"`
	At      time.Time       `json:"at"`
	Name    string          `json:"name,omitempty"`
	Session string          `json:"session,omitempty"`
	Agent   string          `json:"agent,omitempty"`
	Verb    string          `json:"verb"`
	Op      pawl.OpID       `json:"op,omitempty"`
	Result  []byte          `json:"result,omitempty"`
	Bulk    bool            `json:"bulk,omitempty"`
	Undoes  pawl.Revision   `json:"undoes,omitempty"`
	Changes []journalChange `json:"changes,omitempty"`
	Ready   []pawl.ID       `json:"ready,omitempty"`
}

type journalChange struct {
	ID        pawl.ID         `json:"id"`
	CreatedAt int64           `json:"createdAt,omitempty"` // Unix milliseconds
	Fields    []pawl.Field    `json:"fields,omitempty"`
	Before    json.RawMessage `json:"before,omitempty"`
	After     json.RawMessage `json:"after,omitempty"`
}

// A journalFile is what a record does to a task's file.
type journalFile struct {
	ID        pawl.ID `json:"id"`
	CreatedAt int64   `json:"createdAt,omitempty"`
	Before    string  `json:"before,omitempty"` // hash; empty: there was no file
	After     string  `json:"after,omitempty"`  // hash; empty: the file is removed
	Text      *string `json:"text,omitempty"`   // the whole file; nil with After: not kept
	Was       *string `json:"was,omitempty"`    // of a rewrite: the text before it, so that it can be taken back

	Stays bool `json:"stays,omitempty"` // of a rewrite: another program had made it so

	Left []pawl.Evidence `json:"left,omitempty"` // of an external edit: what no run has shown of checks

	// The two in base64, where they are not UTF-8. In memory they are above.
	TextBytes []byte `json:"textBytes,omitempty"`
	WasBytes  []byte `json:"wasBytes,omitempty"`
}

// A journalMark is what a rewrite does to .highwatermark: its texts before and
// after. Nil: there is no such file.
type journalMark struct {
	Was  []byte `json:"was"`
	Text []byte `json:"text"`
}

type journalMove struct {
	From      pawl.ID `json:"from"`
	To        pawl.ID `json:"to"`
	CreatedAt int64   `json:"createdAt,omitempty"` // Unix milliseconds
}

// pack returns the file as JSON can have it.
func (f journalFile) pack() journalFile {
	if f.Text != nil && !utf8.ValidString(*f.Text) {
		f.Text, f.TextBytes = nil, []byte(*f.Text)
	}
	if f.Was != nil && !utf8.ValidString(*f.Was) {
		f.Was, f.WasBytes = nil, []byte(*f.Was)
	}
	return f
}

func (f *journalFile) unpack() {
	if f.TextBytes != nil {
		text := string(f.TextBytes)
		f.Text, f.TextBytes = &text, nil
	}
	if f.WasBytes != nil {
		was := string(f.WasBytes)
		f.Was, f.WasBytes = &was, nil
	}
}

// decode reads the body of a line.
func (r *journalRecord) decode(body []byte) bool {
	if json.Unmarshal(body, r) != nil {
		return false
	}
	for i := range r.Files {
		r.Files[i].unpack()
	}
	return true
}

// created reports whether the record made the file.
func (f *journalFile) created() bool { return f.Before == "" && f.After != "" }

type journalClaim struct {
	ID        pawl.ID       `json:"id"`
	CreatedAt int64         `json:"createdAt,omitempty"`
	Session   string        `json:"session,omitempty"`
	Agent     string        `json:"agent,omitempty"`
	Token     pawl.Revision `json:"token,omitempty"`
	Lease     time.Duration `json:"lease,omitempty"`
	Until     int64         `json:"until,omitempty"`
	Expired   int           `json:"expired,omitempty"`
	Clone     string        `json:"clone,omitempty"`
	Confirmed int64         `json:"confirmed,omitempty"`
}

func claimOf(e *entry) journalClaim {
	return journalClaim{
		ID: e.id, CreatedAt: e.createdAt, Session: e.claim.Session, Agent: e.claim.Agent,
		Token: e.claim.Token, Lease: time.Duration(e.claim.Lease), Until: millis(e.claim.Until), Expired: e.expired,
		Clone: e.claim.Clone, Confirmed: millis(e.claim.Confirmed),
	}
}

// restore gives e the claim, if it is the task that was claimed.
func (c *journalClaim) restore(e *entry) {
	if c.CreatedAt != e.createdAt {
		return
	}
	e.claim = pawl.Claim{
		Session: c.Session, Agent: c.Agent, Token: c.Token, Lease: pawl.Duration(c.Lease), Until: fromMillis(c.Until),
		Clone: c.Clone, Confirmed: fromMillis(c.Confirmed),
	}
	e.expired = c.Expired
}

// hashText is a hash as the journal spells it.
func hashText(h uint64) string {
	const digits = 16
	s := strconv.FormatUint(h, 16)
	return "0000000000000000"[:digits-len(s)] + s
}

// packSet makes the journal's form of a set, its changes reduced to what
// history keeps.
func packSet(set *pawl.ChangeSet) journalSet {
	packed := journalSet{
		Rev: set.Revision, At: set.At, Name: set.By.Name, Session: set.By.Session, Agent: set.By.Agent,
		Verb: set.Verb, Op: set.OpID, Result: set.Result, Bulk: set.Bulk, Undoes: set.Undoes, Ready: set.Ready,
	}
	for _, c := range set.Changes {
		change := journalChange{ID: c.ID, CreatedAt: millis(c.CreatedAt), Fields: c.Fields}
		if c.Before != nil {
			change.Before = taskjson.EncodeFields(c.Before, c.Fields)
		}
		if c.After != nil {
			change.After = taskjson.EncodeFields(c.After, c.Fields)
		}
		packed.Changes = append(packed.Changes, change)
	}
	return packed
}

func (s *journalSet) unpack() (pawl.ChangeSet, error) {
	set := pawl.ChangeSet{
		Revision: s.Rev, At: s.At, By: pawl.Actor{Name: s.Name, Session: s.Session, Agent: s.Agent},
		Verb: s.Verb, OpID: s.Op, Result: s.Result, Bulk: s.Bulk, Undoes: s.Undoes, Ready: s.Ready,
	}
	for _, c := range s.Changes {
		change := pawl.Change{ID: c.ID, CreatedAt: fromMillis(c.CreatedAt), Fields: c.Fields}
		var err error
		if c.Before != nil {
			if change.Before, err = taskjson.DecodeFields(c.Before); err != nil {
				return set, err
			}
		}
		if c.After != nil {
			if change.After, err = taskjson.DecodeFields(c.After); err != nil {
				return set, err
			}
		}
		set.Changes = append(set.Changes, change)
	}
	return set, nil
}

const (
	linePrefix = `{"crc":"`
	lineMiddle = `","body":`
	lineHead   = len(linePrefix) + 8 + len(lineMiddle)
)

// line returns the record as it stands in the journal.
func (r *journalRecord) line() ([]byte, error) {
	var buf bytes.Buffer
	fmt.Fprintf(&buf, "%s%08x%s", linePrefix, 0, lineMiddle)
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	packed := *r
	packed.Files = slices.Clone(r.Files)
	for i := range packed.Files {
		packed.Files[i] = packed.Files[i].pack()
	}
	if err := enc.Encode(&packed); err != nil {
		return nil, err
	}
	line := buf.Bytes()
	body := line[lineHead : len(line)-1] // without the encoder's newline
	copy(line[len(linePrefix):], fmt.Sprintf("%08x", checksum(body)))
	return append(line[:len(line)-1], "}\n"...), nil
}

// parseLine reads a line, which ends with its newline.
func parseLine(line []byte) (*journalRecord, bool) {
	body, ok := bodyOf(line)
	if !ok {
		return nil, false
	}
	var r journalRecord
	return &r, r.decode(body)
}

// bodyOf returns the body of a line whose checksum is right.
func bodyOf(line []byte) ([]byte, bool) {
	if len(line) < lineHead+2 || string(line[:len(linePrefix)]) != linePrefix || string(line[len(linePrefix)+8:lineHead]) != lineMiddle || string(line[len(line)-2:]) != "}\n" {
		return nil, false
	}
	sum, err := strconv.ParseUint(string(line[len(linePrefix):len(linePrefix)+8]), 16, 32)
	body := line[lineHead : len(line)-2]
	return body, err == nil && checksum(body) == uint32(sum)
}

// from is the revision of the board before the record.
func (r *journalRecord) from() pawl.Revision {
	if r.Jumped != 0 {
		return r.Jumped
	}
	if len(r.Sets) == 0 {
		return r.Rev
	}
	return r.Sets[0].Rev - 1
}

// revsOf returns the revisions before and after a body without reading all of
// it: they stand near the beginning, before anything that a task says.
func revsOf(body []byte) (from, rev pawl.Revision, ok bool) {
	head := body[:min(len(body), 512)]
	rev, rest, ok := revAfter(head, `,"rev":`)
	if !ok {
		return 0, 0, false
	}
	if bytes.HasPrefix(rest, []byte(jumpedKey)) {
		before, _, ok := revAfter(rest, jumpedKey)
		return before, rev, ok
	}
	if first, _, ok := revAfter(rest, `,"sets":[{"rev":`); ok {
		return first - 1, rev, true
	}
	return rev, rev, bytes.Contains(head, []byte(`"kind":"checkpoint"`))
}

// jumpedKey stands in the line of a jump, right behind the revision.
const jumpedKey = `,"jumped":`

// revAfter reads the number behind a key, and returns what follows.
func revAfter(text []byte, key string) (rev pawl.Revision, rest []byte, ok bool) {
	i := bytes.Index(text, []byte(key))
	if i < 0 {
		return 0, nil, false
	}
	rest = text[i+len(key):]
	n := bytes.IndexByte(rest, ',')
	if n < 0 {
		return 0, nil, false
	}
	number, err := strconv.ParseInt(string(rest[:n]), 10, 64)
	return pawl.Revision(number), rest[n:], err == nil
}
