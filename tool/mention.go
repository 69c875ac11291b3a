package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// A mention is how a call names a task: by its id, by the ref of a task in the
// same call, or by the name that it has elsewhere.
type mention struct {
	path string
	word string
}

// mentions reads a list of them: 12, "#12", ["12", 13], "12, 13", {"id": 12}.
func (a *arguments) mentions(name string) []mention {
	var all []mention
	list := a.list(name)
	for i, raw := range list {
		path := fmt.Sprintf("%s[%d]", name, i)
		if len(list) == 1 {
			path = name
		}
		s, ok := asText(raw)
		if !ok {
			var object struct{ ID, TaskID json.RawMessage }
			if json.Unmarshal(raw, &object) == nil {
				if s, ok = asText(object.ID); !ok {
					s, ok = asText(object.TaskID)
				}
			}
		}
		if !ok {
			a.fault(path, "must be a task id such as 12, not %s", kindOf(raw))
			continue
		}
		words := strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ';' })
		if len(words) == 0 {
			continue
		}
		for _, word := range words {
			if word = strings.TrimSpace(word); word != "" {
				all = append(all, mention{a.at + path, word})
			}
		}
	}
	return all
}

// edgesTo reads the mentions of what a task is to wait for, or is not to any
// more. More than a task can have are not looked up.
func (a *arguments) edgesTo(name string) []mention {
	all := a.mentions(name)
	if len(all) > pawl.MaxEdges {
		a.fault(name, "names %d tasks; the most is %d", len(all), pawl.MaxEdges)
		return nil
	}
	return all
}

// one reads the mention of a single task.
func (a *arguments) one(name string) *mention {
	all := a.mentions(name)
	switch len(all) {
	case 0:
		return nil
	case 1:
		return &all[0]
	}
	a.fault(name, "names %d tasks, and one is meant", len(all))
	return nil
}

// none reports whether a mention says that there is no task.
func (m *mention) none() bool {
	switch strings.ToLower(m.word) {
	case "0", "none", "null", "no", "#0":
		return true
	}
	return false
}

// id reads a mention that is a number: 12, #12, 12.0, task 12, task_12.
func (m *mention) id() (pawl.ID, bool) {
	word := strings.ToLower(m.word)
	if rest, ok := strings.CutPrefix(word, "task"); ok {
		word = strings.TrimLeft(rest, " _-")
	}
	word = strings.TrimSuffix(word, ".0")
	id, err := pawl.ParseID(word)
	return id, err == nil
}

// name is the mention as a board understands it.
func (m *mention) name() string {
	if id, ok := m.id(); ok {
		return id.String()
	}
	return m.word
}

// unknownTask is the fault of a mention that names no task.
func (a *arguments) unknownTask(m *mention) {
	a.lost = true
	a.faults = append(a.faults, pawl.Fault{Path: m.path, Problem: fmt.Sprintf("%q is not a task of this board: use its id, such as 12", line(text.Clip(m.word, 60)))})
}

// resolve finds the tasks that are meant. A mention that names no task becomes a
// fault.
func (a *arguments) resolve(ctx context.Context, board query.Board, all []mention) ([]pawl.ID, error) {
	found, err := wordsOf(ctx, board, all)
	if err != nil {
		return nil, err
	}
	var ids []pawl.ID
	for i := range all {
		m := &all[i]
		id, numbered := m.id()
		if !numbered {
			if id = found[m.word]; id == 0 {
				a.unknownTask(m)
				continue
			}
		}
		ids = append(ids, id)
		a.resolved = append(a.resolved, mentioned{m.path, id})
	}
	return ids, nil
}

// wordsOf finds the tasks that are meant by other names than their ids. Where
// there are none the board is not asked.
func wordsOf(ctx context.Context, board query.Board, all []mention) (map[string]pawl.ID, error) {
	var words []string
	for i := range all {
		if _, numbered := all[i].id(); !numbered {
			words = append(words, all[i].word)
		}
	}
	found := map[string]pawl.ID{}
	for part := range slices.Chunk(words, query.MostNames) {
		answer, err := query.Of(ctx, board, query.Asker{}, query.ResolveQuery{Names: part})
		if err != nil {
			return nil, err
		}
		for i, id := range answer.IDs {
			found[part[i]] = id
		}
	}
	return found, nil
}

// each is resolve for tasks that something is done with: one that is named twice
// is meant once.
func (a *arguments) each(ctx context.Context, board query.Board, all []mention) ([]pawl.ID, error) {
	ids, err := a.resolve(ctx, board, all)
	var once []pawl.ID
	for _, id := range ids {
		if !slices.Contains(once, id) {
			once = append(once, id)
		}
	}
	return once, err
}

// mentioned is an id that a call mentions, and where.
type mentioned struct {
	path string
	id   pawl.ID
}

// lookUp finds out which of the ids that were resolved until now are those of no
// task, and returns the tasks, in brief. The board refuses the others anyway: this
// is for a call that has other faults, too.
func (a *arguments) lookUp(ctx context.Context, board query.Board) (map[pawl.ID]pawl.Task, error) {
	var ids []pawl.ID
	for _, m := range a.resolved {
		ids = append(ids, m.id)
	}
	slices.Sort(ids)
	there := map[pawl.ID]pawl.Task{}
	for part := range slices.Chunk(slices.Compact(ids), pawl.MaxPage) {
		answer, err := query.Of(ctx, board, query.Asker{}, query.TasksQuery{Query: pawl.Query{IDs: part, Brief: true}})
		if err != nil {
			return nil, err
		}
		for i := range answer.Page.Tasks {
			there[answer.Page.Tasks[i].ID] = answer.Page.Tasks[i]
		}
	}
	for _, m := range a.resolved {
		if _, ok := there[m.id]; !ok {
			a.missing = append(a.missing, m)
		}
	}
	a.resolved = nil
	if a.gone == nil && len(a.missing) > 0 { // the board says who deleted it
		answer, err := query.Of(ctx, board, query.Asker{}, query.TaskQuery{Names: []string{a.missing[0].id.String()}})
		if err != nil {
			return nil, err
		}
		a.gone = answer.Tasks[0].Fault
	}
	return there, nil
}

// unmatched is the error where the only fault of a call is that tasks are not
// there; nil: they are.
func (a *arguments) unmatched() error {
	var ids []pawl.ID
	for _, m := range a.missing {
		if !slices.Contains(ids, m.id) {
			ids = append(ids, m.id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	e := pawl.NotFoundError(ids...)
	if strings.Contains(a.missing[0].path, "].") { // of many tasks, and which is not clear
		told := a.form.error(pawl.NotFound, a.notThere())
		told.IDs, told.Hint = e.IDs, e.Hint
		return told
	}
	if len(ids) == 1 && a.gone != nil {
		return a.gone
	}
	return e
}

func (a *arguments) notThere() (faults []pawl.Fault) {
	for _, m := range a.missing {
		faults = append(faults, pawl.Fault{Path: m.path, Problem: fmt.Sprintf("task %v does not exist on this board", m.id)})
	}
	return faults
}
