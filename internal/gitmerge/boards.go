package gitmerge

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// waterName is the file with the high-water mark of numbers.
const waterName = ".highwatermark"

// A shape is which blobs the files of a board are, before they are read.
type shape struct {
	id    string             // of the folder, where a commit has it: equal shapes have equal ids
	tasks map[pawl.ID]string // blobs
	mark  string             // the blob of the mark
}

// taskFile is the name of a task's file.
func taskFile(id pawl.ID) string { return "task_" + strconv.FormatInt(int64(id), 10) + ".json" }

// shapeOf takes those entries that pick chooses.
func shapeOf(id string, entries []git.Entry, pick func(git.Entry) bool) shape {
	s := shape{id: id, tasks: map[pawl.ID]string{}}
	for _, e := range entries {
		if !e.Mode.Regular() || !pick(e) {
			continue
		}
		if e.Name == waterName {
			s.mark = e.ID
		} else if id, ok := merge.TaskID(e.Name); ok {
			s.tasks[id] = e.ID
		}
	}
	return s
}

func every(git.Entry) bool { return true }

// commits returns the shapes of the board in commits; an empty id has an empty one.
func (l *look) commits(ctx context.Context, ids ...string) ([]shape, error) {
	var unknown []string
	for _, id := range ids {
		if _, ok := l.shapes[id]; !ok && id != "" && !slices.Contains(unknown, id) {
			unknown = append(unknown, id)
		}
	}
	folders, err := l.tree.Folders(ctx, l.dir, unknown...)
	if err != nil {
		return nil, err
	}
	for i, f := range folders {
		l.shapes[unknown[i]] = shapeOf(f.ID, f.Entries, every)
	}
	shapes := make([]shape, len(ids))
	for i, id := range ids {
		shapes[i] = l.shapes[id]
	}
	return shapes, nil
}

// indexShapes returns the board as the index has it: the three sides, each over
// what is merged already, and what git left in the work tree.
func indexShapes(entries []git.Entry) (base, ours, theirs, left shape) {
	stages := map[string]int{}
	for _, e := range entries {
		stages[e.Name] |= 1 << e.Stage
	}
	side := func(n int) shape {
		return shapeOf("", entries, func(e git.Entry) bool { return e.Stage == 0 || e.Stage == n })
	}
	left = shapeOf("", entries, func(e git.Entry) bool {
		return e.Stage == 0 || e.Stage == 2 || e.Stage == 3 && stages[e.Name]&(1<<2) == 0
	})
	return side(1), side(2), side(3), left
}

// read fills boards from their blobs, each blob once. Those of the work tree that
// are the same need not be read.
func (l *look) read(ctx context.Context, shapes ...shape) ([]merge.Board, error) {
	var want []string
	need := func(id string) {
		if _, ok := l.blobs[id]; !ok && id != "" {
			want = append(want, id)
			l.blobs[id] = nil
		}
	}
	for _, s := range shapes {
		for _, id := range s.tasks {
			need(id)
		}
		need(s.mark)
	}
	if len(want) > 0 {
		texts, err := l.tree.Blobs(ctx, want, pawl.MaxTask)
		if err != nil {
			return nil, err
		}
		maps.Copy(l.blobs, texts)
	}
	boards := make([]merge.Board, len(shapes))
	for i, s := range shapes {
		b := merge.Board{Tasks: make(map[pawl.ID][]byte, len(s.tasks)), Mark: taskjson.Mark(l.blobs[s.mark])}
		for id, blob := range s.tasks {
			if text := l.blobs[blob]; text != nil {
				b.Tasks[id] = text
			}
		}
		boards[i] = b
	}
	return boards, nil
}
