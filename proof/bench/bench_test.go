package main

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/file"
)

func TestLimitOf(t *testing.T) {
	const v, s = 3 * time.Millisecond, 8 * time.Millisecond
	for _, test := range []struct {
		size    int
		durable bool
		want    time.Duration
	}{
		{120, false, 13700 * time.Microsecond},
		{1_000, false, 13700 * time.Microsecond},
		{1_001, false, 14500 * time.Microsecond},
		{10_000, false, 14500 * time.Microsecond},
		{10_000, true, 15500 * time.Microsecond},
		{100_000, false, 28 * time.Millisecond},
		{100_000, true, 29 * time.Millisecond},
		{1_000_000, false, 28 * time.Millisecond},
	} {
		if got := limitOf(test.size, v, s, test.durable); got != test.want {
			t.Errorf("%d tasks, durable %v: %v, want %v", test.size, test.durable, got, test.want)
		}
	}
	for size, want := range map[int]int64{1_000: 25, 10_000: 35, 100_000: 90} {
		if got := classOf(size).peak; got != want<<20 {
			t.Errorf("%d tasks may take %d bytes, want %d MiB", size, got, want)
		}
	}
}

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		times []time.Duration
		want  time.Duration
	}{
		{nil, 0}, {[]time.Duration{7}, 7}, {[]time.Duration{9, 1, 5}, 5}, {[]time.Duration{4, 9, 1, 5}, 4},
	} {
		if got := median(test.times); got != test.want {
			t.Errorf("median of %v: %v, want %v", test.times, got, test.want)
		}
	}
	times := []time.Duration{3, 1, 2}
	if median(times); !slices.Equal(times, []time.Duration{3, 1, 2}) {
		t.Error("it sorted the times of its caller")
	}
}

func TestReport(t *testing.T) {
	r := report{
		Machine: "a machine", Runs: 3, Hello: ms(1500 * time.Microsecond),
		Version: figure{"V", ms(2 * time.Millisecond), ms(4500 * time.Microsecond)},
		Binary:  bytes{35_000_000, binaryLimit},
		Boards: []board{{
			Size: 100_000, Stat: ms(9 * time.Millisecond), Peak: bytes{45 * mebi, 90 * mebi}, Sync: ms(time.Millisecond / 5), Young: ms(25 * time.Millisecond),
			Verbs:   []figure{{"`ready`", ms(20 * time.Millisecond), ms(16 * time.Millisecond)}},
			Running: figure{"a change", ms(time.Millisecond / 4), ms(time.Millisecond / 2)},
		}},
	}
	const want = `a machine; medians of 3 runs

| board | what | took | limit | of it | |
|---:|---|---:|---:|---:|---|
| | hello-world in Go | 1.50 ms | | | |
| | V | 2.00 ms | 4.50 ms | 44 % | green |
| | the binary | 35.0 MB | 28 MB | 125 % | **over** |
| 100,000 | S, the look at every file | 9.00 ms | | | |
| 100,000 | ` + "`ready`" + ` | 20.00 ms | 16.00 ms | 125 % | **over** |
| 100,000 | ` + "`ready`" + ` right after a change | 25.00 ms | | | |
| 100,000 | peak memory | 45.0 MiB | 90 MiB | 50 % | green |
| 100,000 | one ` + "`fdatasync`" + `, by the clock | 0.20 ms | | | |
| 100,000 | a change | 0.25 ms | 0.50 ms | 50 % | green |
`
	if got := r.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	text, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(text), `"verbs":[{"name":"`+"`ready`"+`","took":20.00,"limit":16.00}]`) {
		t.Errorf("as JSON: %s, %v", text, err)
	}
}

func TestParseSizes(t *testing.T) {
	if sizes, err := parseSizes("1000,10000"); err != nil || !slices.Equal(sizes, []int{1000, 10000}) {
		t.Errorf("got %v, %v", sizes, err)
	}
	for _, list := range []string{"", "ten", "1000,", "0", "119", "-5"} {
		if sizes, err := parseSizes(list); err == nil {
			t.Errorf("%q gave %v", list, sizes)
		}
	}
}

// TestBoard makes a board and has Pawl say what it thinks of it.
func TestBoard(t *testing.T) {
	const size = 500
	dir := t.TempDir()
	if err := makeBoards(dir, []int{size}); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "half-*")); left != nil {
		t.Errorf("left behind: %v", left)
	}
	store, err := file.Open(boardOf(projectOf(dir, size)))
	if err != nil {
		t.Fatal(err)
	}
	b := pawl.NewBoard(store)
	defer b.Close()
	ctx := context.Background()
	problems, err := b.Check(ctx)
	if err != nil || len(problems) > 0 {
		t.Fatalf("problems: %v, %v", problems, err)
	}
	count := func(q pawl.Query) int {
		page, err := b.Select(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		return page.Total
	}
	all, done := count(pawl.Query{}), count(pawl.Query{Status: []pawl.Status{pawl.Completed}})
	if all != size || done < size*2/5 || done > size*3/5 {
		t.Errorf("%d tasks, %d of them completed; want %d and about half", all, done, size)
	}
	if ready := count(pawl.Query{Ready: true}); ready < size/20 || ready > size/4 {
		t.Errorf("%d tasks are ready", ready)
	}
	page, err := b.Select(ctx, pawl.Query{Ready: true, Order: pawl.ByUrgency, Limit: 1})
	if err != nil || len(page.Tasks) != 1 || page.Tasks[0].Height < size/groupSize/2-2 {
		t.Errorf("the first task has no chain behind it: %+v, %v", page.Tasks, err)
	}
	if n := len(page.Tasks[0].Description); n < 100 || n > 1000 {
		t.Errorf("a description of %d bytes", n)
	}
}

// TestChanges sees that a change is made each time, and taken back at the end.
func TestChanges(t *testing.T) {
	dir := t.TempDir()
	if err := makeBoards(dir, []int{minSize}); err != nil {
		t.Fatal(err)
	}
	board := boardOf(projectOf(dir, minSize))
	store, err := file.Open(board)
	if err != nil {
		t.Fatal(err)
	}
	b := pawl.NewBoard(store)
	defer b.Close()
	seen := map[string]bool{}
	look := func() string {
		tasks, err := b.Get(context.Background(), 1)
		if err != nil {
			t.Fatal(err)
		}
		return tasks[0].ActiveForm
	}
	was := look()
	took, err := changes(board, 1, 5, func() error { seen[look()] = true; return nil })
	if err != nil || len(took) != 5 {
		t.Fatalf("%d times, %v", len(took), err)
	}
	if len(seen) != 6 {
		t.Errorf("saw %d states, want 6", len(seen))
	}
	if now := look(); now != was {
		t.Errorf("%q was left as %q", was, now)
	}
}
