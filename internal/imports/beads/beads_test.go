package beads_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/imports/beads"
	"github.com/pawl-dev/pawl/store/memory"
)

// readAll reads issues, with what is told about them, a remark a line.
func readAll(r io.Reader) ([]pawl.ImportTask, []string, error) {
	res, err := imports.Read(&beads.Format, &imports.Input{In: r})
	if err != nil {
		return nil, nil, err
	}
	var told []string
	for _, remark := range slices.Concat(res.LeftOut, res.Changed) {
		told = append(told, remark.String())
	}
	return res.Merge(&beads.Format, nil), told, nil
}

// TestRealBoards imports two real boards and finds every value of every issue
// again.
func TestRealBoards(t *testing.T) {
	for _, tt := range []struct {
		file                    string
		tasks, edges, completed int
	}{
		{"beads-viewer.jsonl", 39, 22, 24},
		{"beads-ui.jsonl", 208, 0, 207},
	} {
		t.Run(tt.file, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", tt.file))
			if err != nil {
				t.Fatal(err)
			}
			read, warnings, err := readAll(bytes.NewReader(text))
			if err != nil || len(warnings) > 0 {
				t.Fatal(err, warnings)
			}
			board := pawl.NewBoard(memory.New())
			ctx := context.Background()
			req := pawl.Request{By: pawl.Actor{Name: "ada"}, Op: pawl.Import{Tasks: read}}
			if _, err := board.Do(ctx, req); err != nil {
				t.Fatal(err)
			}
			if res, err := board.Do(ctx, req); err != nil || len(res.Kept) != tt.tasks {
				t.Errorf("a second import kept %d as they were: %v", len(res.Kept), err)
			}
			page, err := board.Select(ctx, pawl.Query{})
			if err != nil {
				t.Fatal(err)
			}
			edges, completed := 0, 0
			byRef := map[string]*pawl.Task{}
			for i := range page.Tasks {
				task := &page.Tasks[i]
				edges += len(task.Blockers)
				if task.Status == pawl.Completed {
					completed++
				}
				byRef[task.Ref()] = task
			}
			if page.Total != tt.tasks || edges != tt.edges || completed != tt.completed {
				t.Errorf("%d tasks, %d edges, %d completed; want %d, %d, %d", page.Total, edges, completed, tt.tasks, tt.edges, tt.completed)
			}
			for line := range bytes.Lines(text) {
				kept(t, line, byRef)
			}
		})
	}
}

// kept fails for each value of an issue that its task does not have somewhere.
func kept(t *testing.T, line []byte, byRef map[string]*pawl.Task) {
	t.Helper()
	var issue map[string]any
	must.Do(t, json.Unmarshal(line, &issue))
	task := byRef[issue["id"].(string)]
	if task == nil {
		t.Errorf("%v is not on the board", issue["id"])
		return
	}
	var rest map[string]any
	must.Do(t, json.Unmarshal(task.Metadata[beads.Key], &rest))
	for key, value := range issue {
		ok := true
		switch key {
		case "id":
		case "title":
			ok = task.Subject == value
		case "description", "design", "acceptance_criteria":
			ok = strings.Contains(task.Description, strings.TrimSpace(value.(string)))
		case "notes":
			ok = value == "" || slices.ContainsFunc(task.Notes, func(n pawl.Note) bool { return n.Text == value })
		case "labels":
			for _, label := range value.([]any) {
				ok = ok && slices.Contains(task.Labels, label.(string))
			}
		case "assignee":
			ok = value == "" || task.Owner == value || rest[key] == value
		case "created_at", "updated_at", "closed_at":
			at := map[string]string{
				"created_at": task.CreatedAt.String(), "updated_at": task.UpdatedAt.String(), "closed_at": task.CompletedAt.String(),
			}[key]
			ok = at != "" && !strings.HasPrefix(at, "0001")
		default:
			got, _ := json.Marshal(rest[key])
			want, _ := json.Marshal(value)
			ok = bytes.Equal(got, want)
		}
		if !ok {
			t.Errorf("%v (%s): %s is lost: %v", task.ID, issue["id"], key, value)
		}
	}
}

func TestMapping(t *testing.T) {
	tasks, warnings, err := readAll(strings.NewReader(`{"id":"a","title":"A","status":"open","priority":0,"assignee":"ada"}
{"id":"b","title":"B","status":"in_progress","priority":3,"dependencies":[{"issue_id":"b","depends_on_id":"a","type":"blocks"},{"issue_id":"b","depends_on_id":"c","type":"parent-child"},{"issue_id":"b","depends_on_id":"gone","type":"blocks"},{"issue_id":"b","depends_on_id":"a","type":"related"}]}

{"id":"c","title":"C","status":"deferred","comments":[{"author":"bob","text":"later","created_at":"2026-01-02T03:04:05Z"}]}
{"id":"d","title":"D","status":"tombstone"}
{"id":"e","title":"E","status":"closed","closed_at":"2026-01-02T03:04:05Z","assignee":"ada"}
`))
	if err != nil {
		t.Fatal(err)
	}
	if len(tasks) != 4 || len(warnings) != 3 || !strings.Contains(warnings[1], "gone") {
		t.Fatalf("%d tasks, warnings %q", len(tasks), warnings)
	}
	a, b, c, e := tasks[0], tasks[1], tasks[2], tasks[3]
	if a.Priority != pawl.High || a.Owner != "ada" || a.Status != pawl.Pending {
		t.Errorf("a: %+v", a)
	}
	if b.Priority != pawl.Low || b.Status != pawl.Pending || !slices.Equal(b.BlockedBy, []pawl.Ref{pawl.RefName("a")}) || b.Parent != pawl.RefName("c") {
		t.Errorf("b: %+v", b)
	}
	if c.Hold == nil || len(c.Notes) != 1 || c.Notes[0].By != "bob" || c.Priority != pawl.Medium {
		t.Errorf("c: %+v", c)
	}
	if e.Status != pawl.Completed || e.CompletedAt.IsZero() || e.Owner != "" {
		t.Errorf("e: %+v", e)
	}
}
