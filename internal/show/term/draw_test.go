package term

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/sample"
	"github.com/pawl-dev/pawl/query"
)

// marks shows tones in a golden file: *good*, >busy<, !bad!, _title_, .quiet.
var marks = [...]string{Normal: "", Title: "__", Quiet: "..", Good: "**", Busy: "><", Bad: "!!"}

// marked is a line with its tones.
func marked(l Line) string {
	var b strings.Builder
	for _, p := range l {
		if m := marks[p.Tone]; m != "" && p.Text != "" {
			b.WriteString(m[:1] + p.Text + m[1:])
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

func textOf(lines []Line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.String() + "\n")
	}
	return b.String()
}

// sound fails where a line is too wide or could act on a terminal.
func sound(t *testing.T, sc Screen, lines []Line) {
	t.Helper()
	for _, l := range lines {
		s := l.String()
		if Width(s) > sc.Width || strings.ContainsFunc(s, unicode.IsControl) || strings.TrimRight(s, " ") != s {
			t.Errorf("not fit for %d columns: %q", sc.Width, s)
		}
		if !sc.Unicode && strings.ContainsAny(s, "…○◆→✔⊘─│┌┐└┘├┤┬┴┼┄┆") && !strings.ContainsRune(s, 'ß') {
			t.Errorf("not ASCII: %q", s)
		}
	}
}

// noon is when everything in the tests is looked at.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func ago(d time.Duration) time.Time { return noon.Add(-d) }

// mixed is one of everything that a list can show.
func mixed() []pawl.Task {
	return []pawl.Task{
		{ID: 1, Subject: "Set up the project", Status: pawl.Completed, CompletedAt: ago(3 * 24 * time.Hour), Priority: pawl.High},
		{ID: 4, Subject: "Write the parser", Status: pawl.Pending, Priority: pawl.High},
		{ID: 5, Subject: "Größe der 名前 messen 🦀", Status: pawl.Pending, Priority: pawl.Low},
		{ID: 7, Subject: "Write the emitter", Status: pawl.Pending, BlockedBy: []pawl.ID{4, 12}},
		{ID: 8, Subject: "Review\n[x] #9 forged \x1b[2J", Status: pawl.Pending, BlockedBy: []pawl.ID{1, 2, 3, 4, 5, 6}, Owner: "bob"},
		{ID: 9, Subject: "Documentation", Status: pawl.Pending, Owner: "bob"},
		{ID: 10, Subject: "Mine", Status: pawl.Pending, Owner: "ada"},
		{ID: 11, Subject: "The release, with everything that belongs to it: notes, checksums, packages, an announcement", Status: pawl.Pending, Children: []pawl.ID{12, 13, 14}, OpenChildren: 2},
		{ID: 12, Subject: "Refactor the auth middleware", Status: pawl.InProgress, Owner: "ada", StartedAt: ago(3 * time.Minute)},
		{ID: 13, Subject: "Started by an editor", Status: pawl.InProgress},
		{ID: 14, Subject: "Deploy", Status: pawl.Pending, Hold: &pawl.Hold{Reason: "needs a key\nfrom ops"}},
		{ID: 1500, Damage: "line 3: the value is cut off"},
		{ID: 1501, Subject: "A long one that has nothing to say beside itself and may therefore use the whole line up to its end", Status: pawl.Pending},
	}
}

func facts() *query.Facts {
	return &query.Facts{Now: noon, Name: "ada", Unblocks: map[pawl.ID]int{4: 5, 5: 100}}
}

func TestRows(t *testing.T) {
	for _, sc := range []Screen{{120, true}, {80, true}, {80, false}, {50, true}, {20, true}} {
		lines := sc.Rows(mixed(), facts())
		sound(t, sc, lines)
		name := fmt.Sprintf("rows-%d.txt", sc.Width)
		if !sc.Unicode {
			name = fmt.Sprintf("rows-%d-ascii.txt", sc.Width)
		}
		sample.Golden(t, name, textOf(lines))
	}
	var b strings.Builder
	for _, l := range (Screen{80, true}).Rows(mixed(), facts()) {
		b.WriteString(marked(l) + "\n")
	}
	sample.Golden(t, "rows-tones.txt", b.String())
	if lines := (Screen{80, true}).Rows(nil, facts()); len(lines) != 0 {
		t.Errorf("no tasks are %d lines", len(lines))
	}
}

// A list without anything special has only the columns that it needs.
func TestRowsPlain(t *testing.T) {
	tasks := []pawl.Task{{ID: 1, Subject: "One", Status: pawl.Pending}, {ID: 2, Subject: "Two", Status: pawl.Pending, BlockedBy: []pawl.ID{1}}}
	if got, want := textOf(modern.Rows(tasks, facts())), "◆ #1  One\n○ #2  Two  waits for #1\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// Labels have a column of their own behind the others, and give way to them.
func TestRowsLabels(t *testing.T) {
	tasks := []pawl.Task{
		{ID: 1, Subject: "One", Status: pawl.Pending, Labels: []string{"core", "a\nb"}},
		{ID: 2, Subject: "Two and more", Status: pawl.Pending, BlockedBy: []pawl.ID{1}},
		{ID: 3, Subject: "Three", Status: pawl.Pending, BlockedBy: []pawl.ID{1}, Labels: []string{"ui"}},
	}
	for width, want := range map[int]string{
		80: "◆ #1  One                         core, a\\nb\n○ #2  Two and more  waits for #1\n○ #3  Three         waits for #1  ui\n",
		42: "◆ #1  One                         core, a…\n○ #2  Two and more  waits for #1\n○ #3  Three         waits for #1  ui\n",
		41: "◆ #1  One\n○ #2  Two and more  waits for #1\n○ #3  Three         waits for #1\n",
	} {
		sc := Screen{width, true}
		lines := sc.Rows(tasks, facts())
		sound(t, sc, lines)
		if got := textOf(lines); got != want {
			t.Errorf("at %d got\n%swant\n%s", width, got, want)
		}
	}
	if got := textOf(modern.Rows(tasks[:1], facts())); got != "◆ #1  One  core, a\\nb\n" {
		t.Errorf("alone: %s", got)
	}
}

func FuzzRows(f *testing.F) {
	for i, s := range nasty {
		f.Add(s, s, i*9, int64(1)<<i, i)
	}
	f.Fuzz(func(t *testing.T, subject, owner string, width int, id int64, kind int) {
		sc := Screen{20 + abs(width)%200, kind%2 == 0}
		tasks := mixed()
		tasks[abs(kind)%len(tasks)] = pawl.Task{
			ID: pawl.ID(id), Subject: subject, Owner: owner, Status: pawl.InProgress, StartedAt: noon.Add(time.Duration(id)),
			Hold: &pawl.Hold{Reason: subject}, Damage: owner[:len(owner)/2],
		}
		lines := sc.Rows(tasks, facts())
		if len(lines) != len(tasks) {
			t.Errorf("%d lines for %d tasks", len(lines), len(tasks))
		}
		for _, l := range lines {
			if s := l.String(); Width(s) > sc.Width || strings.ContainsFunc(s, unicode.IsControl) {
				t.Errorf("not fit for %d columns: %q", sc.Width, s)
			}
		}
	})
}
