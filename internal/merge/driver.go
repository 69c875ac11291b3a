package merge

import (
	"fmt"
	"path"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// Driver merges one file of a board for git, which sees only this one. Its path, in
// git's spelling, says what it is about. The error says why git has to keep both
// sides; [Boards], which sees all files, may still be able to merge them.
func Driver(name string, base, ours, theirs []byte) ([]byte, error) {
	if path.Base(name) == ".highwatermark" {
		if merged, ok := taskjson.Marks(ours, theirs); ok {
			return merged, nil
		}
		return nil, fmt.Errorf("%s is not a number on both sides", name)
	}
	id, ok := TaskID(path.Base(name))
	if !ok {
		return nil, fmt.Errorf("%s is not a file of a board", name)
	}
	if merged, ok := File(id, base, ours, theirs); ok {
		return merged, nil
	}
	for _, side := range []struct {
		name string
		text []byte
	}{{"ours", ours}, {"theirs", theirs}} {
		if _, err := taskjson.Decode(side.text); err != nil {
			return nil, fmt.Errorf("%s cannot be read as a task on the side that git calls %s: %w", name, side.name, err)
		}
	}
	return nil, fmt.Errorf("the two versions of %s have no place in one file", name)
}

// TaskID reads the number in the name of a task's file.
func TaskID(name string) (pawl.ID, bool) {
	digits, isTask := strings.CutPrefix(name, "task_")
	digits, isJSON := strings.CutSuffix(digits, ".json")
	id, err := pawl.ParseID(digits)
	return id, isTask && isJSON && err == nil && name == fmt.Sprintf("task_%d.json", int64(id))
}
