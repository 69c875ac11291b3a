package file

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

func TestRecordLine(t *testing.T) {
	text := "{\"id\": 1}\n\u2028<&>"
	rec := &journalRecord{
		Kind: commitRecord, Boot: "b", Clock: 5, Rev: 7, LastID: 3,
		Sets:   []journalSet{{Rev: 7, At: noon, Name: "ada", Verb: "create", Op: "x", Result: []byte{0, 255}, Changes: []journalChange{{ID: 1}}}},
		Files:  []journalFile{{ID: 1, After: hashText(1), Text: &text}},
		Ranks:  [][3]int64{{1, -1, 2}},
		Claims: []journalClaim{{ID: 1, Token: 7, Lease: time.Minute}},
	}
	line, err := rec.line()
	if err != nil || bytes.Count(line, []byte("\n")) != 1 {
		t.Fatalf("the line is %q: %v", line, err)
	}
	back, ok := parseLine(line)
	if !ok || !reflect.DeepEqual(rec, back) {
		t.Fatalf("it came back as %+v", back)
	}
	for i := range line {
		bad := slices.Clone(line)
		bad[i] ^= 1
		if _, ok := parseLine(bad); ok {
			t.Fatalf("a wrong byte at %d went through", i)
		}
		if _, ok := parseLine(line[:i]); ok {
			t.Fatalf("%d bytes of it went through", i)
		}
	}
}

// A sync that fails leaves the outcome unknown: the record is taken back and the
// journal goes on in a new segment. If the old one comes back with it after a
// power cut, it still was not committed.
func TestFailedSync(t *testing.T) {
	d := board(t, create("a"))
	d.before = func(_ int, op, _ string) error {
		if op == "fdatasync" {
			d.before = nil
			return syscall.EIO
		}
		return nil
	}
	s := simStore(t, d.process())
	_, err := pawl.NewBoard(s).Do(context.Background(), pawl.Request{By: by, Op: create("b")})
	if !errors.Is(err, pawl.Unavailable) || !strings.Contains(err.Error(), "outcome is unknown") {
		t.Fatalf("the answer is %v", err)
	}
	if d.text(segmentName(2)) == "" {
		t.Fatal("there is no new segment")
	}
	before := changeSets(t, d)
	_, _, n, _ := d.find(segmentName(1))
	n.data = append(n.data, n.data[bytes.IndexByte(n.data, '\n')+1:]...)
	lines := bytes.SplitAfter(n.data, []byte("\n"))
	last, _ := parseLine(lines[len(lines)-2])
	last.Rev, last.Sets[0].Rev = last.Rev+1, last.Rev+1
	line, err := last.line()
	must.Do(t, err)
	n.data = append(bytes.Join(lines[:len(lines)-2], nil), line...)
	if got := changeSets(t, d); len(got) != len(before) {
		t.Errorf("the history has %d sets, and had %d", len(got), len(before))
	}
	do(t, d, create("c"))
	if got := see(t, d); len(got) != 2 || got[2].Subject != "c" {
		t.Errorf("the board is %v", got)
	}
}

// A bad line with others behind it ends the history there; the board goes on.
func TestBadLine(t *testing.T) {
	d := board(t, create("a"), create("b"), create("c"))
	_, _, n, _ := d.find(segmentName(1))
	lines := bytes.SplitAfter(n.data, []byte("\n"))
	for i, line := range lines {
		if bytes.Contains(line, []byte(`"subject":"b"`)) {
			lines[i] = bytes.Replace(line, []byte(`"b"`), []byte(`"B"`), 1)
		}
	}
	n.data = bytes.Join(lines, nil)
	problems, err := simStore(t, d.process()).Check(context.Background())
	if err != nil || len(problems) != 1 || problems[0].Kind != "journal" || problems[0].Line == 0 {
		t.Errorf("the check says %+v, %v", problems, err)
	}
	d.drop(indexName)
	got := do(t, d, create("d"))[0]
	if got.IDs[0] != 4 {
		t.Errorf("the next id is %v", got.IDs[0])
	}
	if tasks := see(t, d); len(tasks) != 4 || tasks[2].Subject != "b" {
		t.Errorf("the board is %v", tasks)
	}
	var after []pawl.ChangeSet
	for set, err := range simStore(t, d.process()).Changes(context.Background(), pawl.Span{After: got.Revision - 1}) {
		must.Do(t, err)
		after = append(after, set)
	}
	if len(after) != 1 || after[0].Revision != got.Revision {
		t.Errorf("the new history is %+v", after)
	}
	for _, err := range simStore(t, d.process()).Changes(context.Background(), pawl.Span{}) {
		if errors.Is(err, pawl.Gone) {
			return
		}
	}
	t.Error("nothing says that history is missing")
}

// Segments follow one another without a gap, and op ids are found in all.
func TestSegments(t *testing.T) {
	d := newDisk()
	for i := range 10 {
		d.now += 1e9
		s := simStore(t, d.process())
		s.size = 3000
		must.Do(t, errOf(pawl.NewBoard(s).Do(context.Background(), pawl.Request{By: by, Op: create("x"), ID: pawl.OpID(fmt.Sprint("op", i))})))
	}
	if d.text(segmentName(3)) == "" {
		t.Fatal("there are no three segments")
	}
	for _, what := range []string{"as it is", "without the index", "without its log"} {
		switch what {
		case "without the index":
			d.drop(indexName)
		case "without its log":
			d.drop(logName)
		}
		s := simStore(t, d.process())
		if got := sets(t, s); len(got) != 10 || got[9] != "create op9" {
			t.Errorf("%s the history is %q", what, got)
		}
		back := 0
		for set, err := range s.Changes(context.Background(), pawl.Span{Backward: true}) {
			if err != nil || string(set.OpID) != fmt.Sprint("op", 9-back) {
				t.Errorf("%s, backward: %v %v", what, set.OpID, err)
			}
			back++
		}
		must.Do(t, errOf(s.Update(context.Background(), func(r pawl.Reader) (pawl.Commit, error) {
			for i := range 10 {
				if _, ok, err := r.Result(pawl.OpID(fmt.Sprint("op", i))); !ok || err != nil {
					t.Errorf("%s the result of op%d is not there: %v", what, i, err)
				}
			}
			_, ok, err := r.Result("op10")
			if ok {
				t.Error("there is a result of nothing")
			}
			return pawl.Commit{}, err
		})))
	}
}

// A claim outlives the index, and a checkpoint.
func TestClaimsKept(t *testing.T) {
	d := board(t, create("a", "b"), pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
	claim := see(t, d)[1].Claim
	for i := range checkpointRecords + 3 {
		do(t, d, pawl.AddNote{ID: 2, Text: fmt.Sprint(i)})
	}
	d.drop(indexName)
	if got := see(t, d)[1].Claim; got != claim || !got.Live() {
		t.Errorf("the claim is %+v, and was %+v", got, claim)
	}
}

// A newer format is never written, and says why; the tasks can be read.
func TestNewerFormat(t *testing.T) {
	d := board(t, create("a"))
	check := func(what string) {
		t.Helper()
		s := simStore(t, d.process())
		if got := state(t, s); !strings.Contains(got, `"subject":"a"`) {
			t.Errorf("%s: the board is\n%s", what, got)
		}
		_, err := pawl.NewBoard(s).Do(context.Background(), pawl.Request{By: by, Op: create("b")})
		if !errors.Is(err, pawl.Invalid) || !strings.Contains(err.Error(), what+" has format 3") {
			t.Errorf("%s: %v", what, err)
		}
	}
	for what, name := range map[string]string{"index": indexName, "index log": logName} {
		old := d.text(name)
		d.put(name, old[:8]+"\x03"+old[9:])
		check(what)
		d.put(name, old)
	}
	rec, _ := parseLine([]byte(strings.SplitAfter(d.text(segmentName(1)), "\n")[0]))
	rec.Format = format + 1
	line, err := rec.line()
	must.Do(t, err)
	d.drop(indexName)
	d.put(segmentName(1), string(line))
	check("journal")
}

// putSums makes the checksums of an index right.
func putSums(text []byte) {
	copy(text, snapshotMark)
	binary.LittleEndian.PutUint32(text[8:], format)
	binary.LittleEndian.PutUint32(text[36:], checksum(text[headerSize:]))
	binary.LittleEndian.PutUint32(text[12:], headerSum(text[:headerSize]))
}

func FuzzIndex(f *testing.F) {
	d := board(f, chain("a", "b", "c"), pawl.ClaimTask{Lease: pawl.Duration(time.Hour)})
	f.Add([]byte(d.text(indexName)))
	f.Add([]byte(d.text(logName)))
	f.Fuzz(func(t *testing.T, text []byte) {
		// As if the checksums were right: they keep accidents out, not people.
		if len(text) > headerSize {
			whole := slices.Clone(text)
			putSums(whole)
			if base, m, err := parseSnapshot(whole); err == nil && base != nil {
				_ = m
				for i := range base.len() {
					base.entry(i)
				}
				table := newTable(base)
				table.get(1)
				table.each(func(r row) bool { r.open(); return true })
			}
		}
		readFrames(text)
		new(quickIndex).readFrames(text)
		if len(text) > recordSize {
			if e, at := unpack(record(text[:recordSize]), text[recordSize:]), completed(text[recordSize:]); at != e.times.completed {
				t.Errorf("completed at %d, read alone %d", e.times.completed, at)
			}
		}
		parseLine(text)
	})
}

// TestBlob: an entry comes back as it was.
func TestBlob(t *testing.T) {
	e := &entry{
		id: 12, info: fileInfo{Kind: kindRegular, Inode: 1, Size: 2, Mtime: 3, Ctime: 4}, hash: 5, racy: true, image: position{1, 2},
		subject: "s", owner: "o", ref: "r", labels: []string{"x", "y"}, hold: &pawl.Hold{Reason: "why", By: "ada", At: noon},
		status: pawl.InProgress, priority: pawl.Low, parent: 3, createdAt: 99, times: times{98, 99, 1_700_000_000_000}, damage: "task_12.json: broken",
		said:      said{blockedBy: []pawl.ID{5}, blocks: []pawl.ID{6}, hasBlocks: true},
		blockedBy: []pawl.ID{9, 7}, blocks: []pawl.ID{8}, blockers: []pawl.ID{1, 7, 9}, children: []pawl.ID{2}, open: 1,
		urgency: pawl.High, height: 70_000, claim: pawl.Claim{Session: "s", Agent: "a", Token: 5, Lease: pawl.Duration(time.Minute), Until: noon}, expired: 2,
	}
	blob := appendBlob(nil, e)
	if got := unpack(record(appendRecord(nil, e, 0, len(blob))), blob); !reflect.DeepEqual(got, e) {
		t.Errorf("it came back as\n%+v\nand not\n%+v", got, e)
	}
	if got := completed(blob); got != e.times.completed {
		t.Errorf("completed at %d, read alone %d", e.times.completed, got)
	}
}
