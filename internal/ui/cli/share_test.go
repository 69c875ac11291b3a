package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/schema"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/share"
)

// remote is one that a test makes up.
type remote struct {
	status  *share.Status
	plan    SharePlan
	shared  Shared
	synced  Synced
	offered Offered
	stopped Stopped
	err     error // of what reaches the remote
	asked   []any
}

func (r *remote) functions() *Sharing {
	return &Sharing{
		Status: func(string, bool) (*share.Status, error) { return r.status, nil },
		Plan:   func(_ context.Context, s ToShare) (SharePlan, error) { return r.plan, nil },
		Share: func(_ context.Context, s ToShare) (Shared, error) {
			r.asked = append(r.asked, s)
			return r.shared, r.err
		},
		Stop: func(context.Context, string, pawl.Actor) (Stopped, error) { return r.stopped, nil },
		Sync: func(_ context.Context, s ToSync) (Synced, error) {
			r.asked = append(r.asked, s)
			return r.synced, r.err
		},
		Offered: func(_ context.Context, s ToShare) (Offered, error) {
			r.asked = append(r.asked, s)
			return r.offered, r.err
		},
	}
}

// Moments of the stories, long ago so that their age does not change while they run.
var (
	lastSynced = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	withOrigin = share.Status{Remote: "origin", Ref: "refs/pawl/board", Clone: "mac-mini-3f2a9c1d", Mode: "claims"}
)

// news is what a sync did in which all of it happened.
func news() share.Report {
	return share.Report{
		Arrived:   []merge.Named{{ID: 7, Subject: "Rotate the key"}},
		Changed:   []merge.Named{{ID: 2, Subject: "Cart"}},
		Deleted:   []merge.Named{{ID: 1, Subject: "Old"}},
		Sent:      []merge.Named{{ID: 3, Subject: "Lint"}},
		Confirmed: []pawl.ID{3},
		Lost: []merge.Yielded{{
			Named: merge.Named{ID: 12, Subject: "Retry hooks"}, Was: pawl.InProgress, Owner: "ada", Now: pawl.InProgress, By: "bob",
			Winner: &merge.Held{Clone: "ci-00000000"},
		}},
		Restored: []merge.Named{{ID: 5, Subject: "Docs"}},
		Merge:    merge.Report{Moved: []merge.Moved{{Named: merge.Named{ID: 8, Subject: "Mail"}, From: 7, Side: merge.Ours, Elder: "Rotate the key", ElderBy: "bob"}}},
		Tries:    1, Revision: 9,
	}
}

const newsLines = `  lost      #12 Retry hooks: bob has claimed it, on ci
  arrived   #7 Rotate the key
  changed   #2 Cart
  removed   #1 Old: removed there
  sent      #3 Lint
  restored  #5 Docs: its file was missing, and Pawl had not deleted it
  moved     #7 Mail → #8, bob's #7 Rotate the key was sent first
`

func TestShareScreen(t *testing.T) {
	book, err := schema.Open()
	must.Do(t, err)
	plan := SharePlan{Remote: "origin", Address: "git@example.com:shop.git", Ref: "refs/pawl/board", Allowed: true}
	unasked := plan
	unasked.Allowed = false
	onPlans := plan
	onPlans.Ref = "refs/heads/plans"
	tracked := plan
	tracked.Tracked, tracked.Branch, tracked.Branches = []string{".tasks/.gitignore", ".tasks/task_1.json"}, "main", []string{"old", "origin/main"}
	intro := "Sharing the board in .tasks through origin (git@example.com:shop.git)\n  Sends    1 task with notes and claims, and what changes here from now on, to refs/pawl/board\n" +
		"  Visible  to all who can read that repository; what was sent cannot be taken back\n"
	undo := "  Undo     pawl share --stop\n"
	stale := withOrigin
	stale.Stopped, stale.Synced = share.StopRewound, lastSynced
	for _, c := range []struct {
		args   string
		remote remote
		out    string
		err    string
		code   int
		asked  int
	}{
		{"share --yes", remote{plan: plan, shared: Shared{Status: withOrigin, Published: true, Report: share.Report{Sent: []merge.Named{{ID: 1, Subject: "one"}}}}},
			intro + undo + "Shared through origin: 1 task sent\n1 open, 1 ready; next: pawl claim\n", "", 0, 1},
		{"share --yes", remote{plan: tracked, shared: Shared{Status: withOrigin, Untracked: tracked.Tracked, Report: news()}},
			intro + "  Git      2 files leave its index and stay on the disk\n" + undo + `Shared through origin: 1 arrived, 1 changed, 1 removed there, 1 sent, 1 restored, 1 lost, 1 moved
  lost      #12 Retry hooks: bob has claimed it, on ci
  removed   #1 Old: removed there
  restored  #5 Docs: its file was missing, and Pawl had not deleted it
  moved     #7 Mail → #8, bob's #7 Rotate the key was sent first
2 files left git's index, and stay on the disk:
  .tasks/.gitignore
  .tasks/task_1.json
Commit that, with what else you have staged, and push it:
  git commit -m 'Share tasks through origin' && git push
Colleagues pull it, and then run pawl share in their clones.
Still on old: merge that commit there. While such a branch is checked out, nothing is synced.
1 open, 1 ready; next: pawl claim
`, "", 0, 1},
		{"share", remote{plan: unasked}, intro + undo, "pawl: only a person at a terminal may share the board through origin, and this command has no terminal\npawl: hint: ask a person at a terminal to run: pawl share origin\n", 2, 0},
		{"share --yes", remote{plan: unasked}, intro + undo, "pawl: only a person at a terminal may share the board through origin, and this command has no terminal\npawl: hint: ask a person at a terminal to run: pawl share origin\n", 2, 0},
		{"share --dry-run", remote{plan: plan, offered: Offered{Remote: "origin", Ref: "refs/pawl/board"}},
			intro + undo + "origin has a board there: both become one\n", "pawl: dry run: nothing was sent or changed\n", 0, 1},
		{"share --dry-run", remote{plan: plan, offered: Offered{Remote: "origin"}}, intro + undo + "origin has no board there yet\n", "pawl: dry run: nothing was sent or changed\n", 0, 1},
		{"share --dry-run", remote{plan: plan, err: fmt.Errorf("%w: Connection refused", share.ErrAway)}, intro + undo, "pawl: origin cannot be reached (Connection refused)\npawl: dry run: nothing was sent or changed\n", 0, 1},
		{"share --yes", remote{plan: plan, err: fmt.Errorf("%w: deny updating a hidden ref", share.ErrRefused)}, intro + undo,
			"pawl: origin refuses refs/pawl/board (deny updating a hidden ref)\npawl: hint: if you may push there, let a branch keep the board: pawl share origin --branch\n", 6, 1},
		{"share --yes", remote{plan: plan, err: share.ErrLogin}, intro + undo,
			"pawl: origin asks who you are, and git has no answer\npawl: hint: let git log in without a question, by an SSH agent or a credential helper; to try it: git ls-remote origin\n", 6, 1},
		{"share --yes", remote{plan: plan, err: fmt.Errorf("%w: no route", share.ErrAway)}, intro + undo, "pawl: origin cannot be reached (no route)\npawl: hint: try again: pawl share origin\n", 6, 1},
		{"share", remote{status: &stale}, "Shared through origin; stopped: origin lacks changes of the board that it had: it was rewound, restored or force-pushed\n" +
			"  Remote  origin, refs/pawl/board\n  Clone   mac-mini-3f2a9c1d\n  Sync    claims (setting sync)\n" +
			"  pawl sync --resume          merge with what origin has now; what it lacks is sent again\n  pawl share --stop           keep the board to this clone\n", "", 0, 0},
		{"share", remote{status: &stale, plan: tracked, shared: Shared{Status: withOrigin, Untracked: tracked.Tracked[1:]}}, `1 file left git's index, and stays on the disk:
  .tasks/task_1.json
Commit that, with what else you have staged, and push it:
  git commit -m 'Share tasks through origin' && git push
Colleagues pull it, and then run pawl share in their clones.
Still on old: merge that commit there. While such a branch is checked out, nothing is synced.
Synced with origin: nothing new
`, "", 0, 1},
		{"share --yes --branch=plans", remote{plan: onPlans, err: share.ErrAway}, strings.ReplaceAll(intro, "refs/pawl/board", "refs/heads/plans") + undo,
			"pawl: origin cannot be reached\npawl: hint: try again: pawl share origin --branch=plans\n", 6, 1},
		{"share https://ada:secret@example.com/shop.git", remote{status: &withOrigin, plan: plan},
			"Shared through origin; not synced yet\n  Remote  origin, refs/pawl/board\n  Clone   mac-mini-3f2a9c1d\n  Sync    claims (setting sync)\n", "", 0, 0},
		{"share upstream", remote{status: &withOrigin, plan: SharePlan{Remote: "upstream"}}, "", "pawl: the board is shared through origin already, as refs/pawl/board\npawl: hint: if that remote has the same board: pawl share --remote upstream\n", 4, 0},
		{"share --branch", remote{status: &withOrigin, plan: plan}, "", "pawl: the board is shared through origin already, as refs/pawl/board\npawl: hint: stop that first, then run pawl share origin --branch=pawl-board: pawl share --stop\n", 4, 0},
		{"share --stop", remote{}, "The board is not shared\n", "", 0, 0},
		{"share --stop", remote{stopped: Stopped{Was: &withOrigin, Unsent: 2, Sight: Sight{Git: true}}},
			"No longer shared through origin: all files stay, and git sees them\n2 changes of this clone were not sent\nThe other clones go on; origin keeps the board as it was last sent\n", "", 0, 0},
	} {
		d := newFixture(t)
		d.must("add", "one")
		d.sharing = c.remote.functions()
		d.tty = c.args == "share --stop"
		got := d.run(strings.Fields(c.args)...)
		if got.code != c.code || got.out != c.out || got.err != c.err || len(c.remote.asked) != c.asked {
			t.Errorf("pawl %s: exit code %d, %d calls\n%s%s\nwant %d, %d\n%s%s", c.args, got.code, len(c.remote.asked), got.out, got.err, c.code, c.asked, c.out, c.err)
		}
		got = d.run(append(strings.Fields(c.args), "--json")...)
		kind := "share"
		if c.code != 0 {
			kind = "error"
		}
		if err := book.Check(kind, []byte(got.out)); err != nil || got.code != c.code {
			t.Errorf("pawl %s --json: exit code %d, %v\n%s", c.args, got.code, err, got.out)
		}
	}
}

// An agent does not decide what others may read, nor whose tasks come here, whatever flags it
// gives.
func TestShareByAgent(t *testing.T) {
	r := remote{plan: SharePlan{Remote: "origin", Ref: "refs/pawl/board", Allowed: true}}
	d := newFixture(t)
	d.env = map[string]string{"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "0b7c1f52", "XDG_STATE_HOME": t.TempDir()}
	d.sharing = r.functions()
	for range 2 { // without tasks, and with one
		for _, args := range [][]string{{"share"}, {"share", "--yes"}, {"share", "--yes", "--branch=plans"}} {
			if got := d.run(args...); got.code != 2 || !strings.Contains(got.err, "pawl: hint: ask a person at a terminal to run: pawl share origin\n") || len(r.asked) != 0 {
				t.Errorf("%q: exit code %d, %d calls\n%s%s", args, got.code, len(r.asked), got.out, got.err)
			}
		}
		d.must("add", "one")
	}
}

// A board that git has not finished merging is not sent.
func TestShareUnmerged(t *testing.T) {
	r := remote{plan: SharePlan{Remote: "origin"}}
	d := newFixture(t)
	d.must("add", "one")
	d.sharing, d.state = r.functions(), merge.State{Under: "merge", Tasks: []string{".tasks/task_1.json"}}
	if got := d.run("share", "--yes"); got.code != 4 || !strings.HasSuffix(got.err, "hint: pawl merge\n") || len(r.asked) != 0 {
		t.Errorf("exit code %d\n%s%s", got.code, got.out, got.err)
	}
}

func TestSyncScreen(t *testing.T) {
	book, err := schema.Open()
	must.Do(t, err)
	away := withOrigin
	away.Synced, away.Since, away.Unsent = lastSynced, lastSynced.Add(time.Hour), 3
	here := withOrigin
	here.Here = []pawl.ID{4}
	next := "Take another task: pawl claim\n"
	for _, c := range []struct {
		args string
		is   Synced
		fail error
		out  string
		err  string
		code int
	}{
		{"sync", Synced{Status: withOrigin, Report: news()}, nil, "Synced with origin: 1 arrived, 1 changed, 1 removed there, 1 sent, 1 restored, 1 lost, 1 moved\n" + newsLines + next, "", 0},
		{"sync --dry-run", Synced{Status: withOrigin, Report: news()}, nil, "Would sync with origin: 1 arrived, 1 changed, 1 removed there, 1 sent, 1 restored, 1 lost, 1 moved\n" + newsLines, "pawl: dry run: nothing was sent or changed\n", 0},
		{"sync --resume", Synced{Status: here}, nil, "Synced with origin: nothing new\nClaimed here only: #4\n", "", 0},
		{"sync", Synced{Status: away}, fmt.Errorf("%w: Connection refused", share.ErrAway), "",
			"pawl: origin cannot be reached since 2026-11-21T10:00:00Z (Connection refused); 3 changes wait here\npawl: hint: try again: pawl sync\n", 6},
		{"sync", Synced{Status: withOrigin}, context.DeadlineExceeded, "", "pawl: origin cannot be reached (no answer in time)\npawl: hint: try again: pawl sync\n", 6},
		{"sync", Synced{Status: withOrigin}, fmt.Errorf("%w: policy", share.ErrRefused), "", "pawl: origin refuses refs/pawl/board (policy)\npawl: hint: if you may push there, let a branch keep the board: pawl share --stop && pawl share origin --branch\n", 6},
		{"sync", Synced{}, share.ErrRace, "", "pawl: other clones were faster each time, and nothing is lost\npawl: hint: try again: pawl sync\n", 6},
		{"sync", Synced{}, &share.StopError{Stop: share.StopDeleted}, "", "pawl: origin no longer has the board: refs/pawl/board was deleted there\npawl: hint: keep the board to this clone: pawl share --stop; or send this clone's board: pawl sync --resume\n", 4},
		{"sync", Synced{}, &share.StopError{Stop: share.StopTracked}, "", "pawl: git tracks the board's files on this branch, too\npawl: hint: take the files out of git's index, and commit that on this branch: pawl share\n", 4},
		{"sync", Synced{}, pawl.Errorf(pawl.NotFound, "git no longer knows the remote origin"), "", "pawl: git no longer knows the remote origin\n", 3},
		{"sync", Synced{}, errors.New("the disk is full"), "", "pawl: the disk is full\n", 1},
	} {
		d := newFixture(t)
		d.must("add", "one")
		r := remote{status: &withOrigin, synced: c.is, err: c.fail}
		d.sharing = r.functions()
		d.tty = strings.Contains(c.args, "resume")
		got := d.run(strings.Fields(c.args)...)
		if got.code != c.code || got.out != c.out || got.err != c.err {
			t.Errorf("pawl %s: exit code %d\n%s%s\nwant %d\n%s%s", c.args, got.code, got.out, got.err, c.code, c.out, c.err)
		}
		s := r.asked[0].(ToSync)
		if s.Resume != strings.Contains(c.args, "resume") || s.Dry != strings.Contains(c.args, "dry") || s.Background || s.By.Name != "ada" {
			t.Errorf("pawl %s asks for %+v", c.args, s)
		}
		got = d.run(append(strings.Fields(c.args), "--json")...)
		kind := "sync"
		if c.code != 0 {
			kind = "error"
		}
		if err := book.Check(kind, []byte(got.out)); err != nil || got.code != c.code {
			t.Errorf("pawl %s --json: exit code %d, %v\n%s", c.args, got.code, err, got.out)
		}
	}
}

// The sync that Pawl starts itself prints nothing.
func TestSyncInBackground(t *testing.T) {
	d := newFixture(t)
	r := remote{status: &withOrigin, synced: Synced{Status: withOrigin, Report: news()}}
	d.sharing = r.functions()
	if got := d.run("sync", "--background"); got != (answer{}) || len(r.asked) != 0 {
		t.Errorf("without a board: %+v", got)
	}
	d.must("add", "one")
	if got := d.run("sync", "--background"); got != (answer{}) || len(r.asked) != 1 || !r.asked[0].(ToSync).Background {
		t.Errorf("%+v, %+v", got, r.asked)
	}
	if got := d.run("sync", "--background", "--keep"); got != (answer{}) || len(r.asked) != 2 || !r.asked[1].(ToSync).Keep || r.asked[0].(ToSync).Keep {
		t.Errorf("%+v, %+v", got, r.asked)
	}
	for _, args := range []string{"sync --keep", "sync --background --dry-run", "sync --background FILE", "sync --resume FILE", "sync --resume --dry-run", "share --stop origin", "share --stop --dry-run", "share --branch=", "share a b"} {
		if got := d.run(strings.Fields(args)...); got.code != 2 || len(r.asked) != 2 {
			t.Errorf("pawl %s: exit code %d\n%s", args, got.code, got.err)
		}
	}
}

// On a board that is not shared, sync says how to share it.
func TestSyncUnshared(t *testing.T) {
	d := newFixture(t)
	d.must("add", "one")
	r := remote{}
	d.sharing = r.functions()
	if got := d.run("sync"); got.code != 0 || got.out != "" || !strings.HasSuffix(got.err, "pawl: hint: to sync it with other clones: pawl share\n") {
		t.Errorf("exit code %d\n%s%s", got.code, got.out, got.err)
	}
	if got := d.run("sync", "--resume"); got.code != 4 || !strings.HasSuffix(got.err, "hint: pawl share\n") {
		t.Errorf("exit code %d\n%s%s", got.code, got.out, got.err)
	}
	d.sharing = nil
	if got := d.run("share"); got.code != 2 || !strings.Contains(got.err, "shared where it is kept") {
		t.Errorf("exit code %d\n%s%s", got.code, got.out, got.err)
	}
}

// shareExample is of a clone that takes part in a board.
func shareExample(t *testing.T) string {
	t.Helper()
	d := newFixture(t)
	r := remote{plan: SharePlan{Remote: "origin", Address: "git@example.com:shop.git", Ref: "refs/pawl/board", Allowed: true}, shared: Shared{Status: withOrigin, Made: true, Report: share.Report{
		Arrived: []merge.Named{{ID: 1, Subject: "Set up the project"}, {ID: 2, Subject: "Write the parser"}}, Revision: 1,
	}}}
	d.sharing = r.functions()
	var pretty bytes.Buffer
	must.Do(t, json.Indent(&pretty, []byte(d.must("share", "--yes", "--json")), "", "  "))
	return fmt.Sprintf("```\n$ pawl share --yes --json\n%s```\n\n", pretty.String())
}

// In an empty project, init says what the remote has; with --shared it does not show
// a shared board to git.
func TestInitOffers(t *testing.T) {
	book := must.Get(schema.Open())(t)
	d := newFixture(t)
	r := remote{offered: Offered{Remote: "origin", Ref: "refs/pawl/board"}}
	d.sharing = r.functions()
	for range 2 { // without a board, and with an empty one
		if got := d.run("init"); got.code != 0 || !strings.HasSuffix(got.out, "\norigin has a shared board: pawl share\n") {
			t.Errorf("exit code %d\n%s%s", got.code, got.out, got.err)
		}
	}
	got := d.run("init", "--json")
	if err := book.Check("board", []byte(got.out)); err != nil || !strings.Contains(got.out, `"offered":{"remote":"origin","ref":"refs/pawl/board","join":"pawl share"}`) {
		t.Errorf("%v\n%s", err, got.out)
	}
	r.err = share.ErrAway // does not matter to a new board
	if got := d.run("init"); got.code != 0 || strings.Contains(got.out, "origin") || got.err != "" {
		t.Errorf("exit code %d\n%s%s", got.code, got.out, got.err)
	}
	r.err, r.asked = nil, nil
	d.must("add", "one")
	for _, args := range []string{"init", "init --private", "init --shared"} {
		if d.must(strings.Fields(args)...); len(r.asked) != 0 {
			t.Errorf("pawl %s asks the remote about a board with tasks", args)
		}
	}
	r.status = &withOrigin
	for _, args := range []string{"init", "init --private"} {
		if got := d.must(strings.Fields(args)...); !strings.HasSuffix(got, ".tasks, shared through origin; hidden from git (pawl share --stop)\n") {
			t.Errorf("pawl %s: %s", args, got)
		}
	}
	if got := d.run("init", "--shared"); got.code != 4 || !strings.HasSuffix(got.err, "hint: to version it with the code instead: pawl share --stop\n") {
		t.Errorf("exit code %d\n%s%s", got.code, got.out, got.err)
	}
}

func TestDoctorSharing(t *testing.T) {
	book := must.Get(schema.Open())(t)
	with := func(change func(*share.Status)) *share.Status {
		s := withOrigin
		s.Synced = time.Now()
		change(&s)
		return &s
	}
	for _, c := range []struct {
		status *share.Status
		plan   SharePlan
		out    string
		code   int
	}{
		{nil, SharePlan{}, "", 0},
		{with(func(*share.Status) {}), SharePlan{}, "Shared through origin; synced just now\n", 0},
		{with(func(s *share.Status) { s.Stopped = share.StopRewound }), SharePlan{}, "sharing has stopped: origin lacks changes of the board that it had: it was rewound, restored or force-pushed\n" +
			"  mend: pawl sync --resume: merge with what origin has now; what it lacks is sent again; or pawl share --stop: keep the board to this clone\n", 1},
		{with(func(s *share.Status) { s.Stopped = share.StopTracked }), SharePlan{Tracked: []string{".tasks/task_1.json"}}, "the board is shared, but git tracks 1 file of it on this branch, so nothing is synced\n", 1},
		{with(func(s *share.Status) { s.Failed, s.Synced = "the remote cannot be reached", time.Time{} }), SharePlan{}, "the last sync failed, and the remote was never reached: the remote cannot be reached\n", 1},
		{with(func(s *share.Status) { s.Synced = time.Now().Add(-72 * time.Hour) }), SharePlan{}, "the board was last synced 3 d ago\n  mend: pawl sync\n", 1},
		{with(func(s *share.Status) { s.Synced, s.Mode = time.Now().Add(-72*time.Hour), "manual" }), SharePlan{}, "Shared through origin; synced 3 d ago\n", 0},
	} {
		d := newFixture(t)
		d.must("add", "one")
		d.sharing = (&remote{status: c.status, plan: c.plan}).functions()
		if got := d.run("doctor"); got.code != c.code || !strings.Contains(got.out, c.out) {
			t.Errorf("%+v: exit code %d\n%s%s", c.status, got.code, got.out, got.err)
		}
		got := d.run("doctor", "--json")
		if err := book.Check("doctor", []byte(got.out)); err != nil || c.code != 0 && !strings.Contains(got.out, `"kind":"sharing"`) {
			t.Errorf("%v\n%s", err, got.out)
		}
	}
}

// A remote that git no longer has is named.
func TestDoctorWithoutRemote(t *testing.T) {
	d := newFixture(t)
	d.must("add", "one")
	s := withOrigin
	s.Synced = time.Now()
	d.sharing = (&remote{status: &s}).functions()
	d.sharing.Plan = func(context.Context, ToShare) (SharePlan, error) {
		return SharePlan{}, pawl.Errorf(pawl.NotFound, "no remote is called origin")
	}
	if got := d.run("doctor"); got.code != 1 || !strings.Contains(got.out, "  mend: if the remote was renamed, pawl share --remote NAME; else git remote add origin ADDRESS, or pawl share --stop\n") {
		t.Errorf("exit code %d\n%s%s", got.code, got.out, got.err)
	}
}
