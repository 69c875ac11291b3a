package todofile

import (
	"encoding/json"

	"github.com/pawl-dev/pawl/internal/jsonscan"
)

// A scan reads what Pawl writes: a hook reads a list at each step of an agent.
// Package json reads files of other programs. It saves 0.3 ms of 6.5 ms CPU time of
// a whole hook.
type scan struct{ *jsonscan.Scan }

func scanned(text []byte, read func(*scan)) bool {
	return jsonscan.All(text, func(s *jsonscan.Scan) {
		s.Usual = usual[:]
		read(&scan{s})
	})
}

// usual are words that need no memory for each time that they are read.
var usual = [...]string{"pending", "in_progress", "completed", "medium", "high", "low", "running", "succeeded", "failed", "begin", "end"}

// scanList reads the text of a list's file, if it is as Pawl writes it. If it is
// not, the content of disk means nothing.
func scanList(text []byte, disk *diskList) bool {
	return scanned(text, func(s *scan) { s.list(disk) })
}

// scanNote is scanList for a line of a log.
func scanNote(line []byte, disk *diskNote) bool {
	return scanned(line, func(s *scan) {
		s.Fields(
			jsonscan.Key("what", &disk.What),
			jsonscan.Key("todo", (*string)(&disk.Todo)),
			jsonscan.Key("content", func() { disk.Content = s.sum() }),
			jsonscan.Key("subtask", func() { disk.Subtask = s.sum() }),
			jsonscan.Key("project", &disk.Project),
			jsonscan.Key("id", (*string)(&disk.ID)),
			jsonscan.Key("name", &disk.Name),
			jsonscan.Key("parameters", &disk.Parameters),
			jsonscan.Key("startedAt", &disk.StartedAt),
			jsonscan.Key("endedAt", &disk.EndedAt),
			jsonscan.Key("outcome", &disk.Outcome),
		)
	})
}

func (s *scan) list(disk *diskList) {
	s.Fields(
		jsonscan.Key("version", &disk.Version),
		jsonscan.Key("session", &disk.Session),
		jsonscan.Key("agent", &disk.Agent),
		jsonscan.Key("project", &disk.Project),
		jsonscan.Key("startedAt", &disk.StartedAt),
		jsonscan.Key("updatedAt", &disk.UpdatedAt),
		jsonscan.Key("todos", func() { s.items(&disk.Todos) }),
		jsonscan.Key("pause", func() {
			s.Once(disk.Pause == nil)
			disk.Pause = &diskPause{}
			s.Fields(jsonscan.Key("reason", &disk.Pause.Reason), jsonscan.Key("at", &disk.Pause.At))
		}),
		jsonscan.Key("past", func() { jsonscan.Objects(s.Scan, &disk.Past, 16, s.past) }),
		jsonscan.Key("news", func() {
			s.Once(disk.News == nil)
			disk.News = s.Texts()
		}),
		jsonscan.Key("newsAt", &disk.NewsAt),
		jsonscan.Key("finishedAt", &disk.FinishedAt),
		jsonscan.Key("before", func() {
			s.Once(disk.Before == nil)
			disk.Before = &diskBefore{}
			s.Fields(
				jsonscan.Key("what", &disk.Before.What),
				jsonscan.Key("at", &disk.Before.At),
				jsonscan.Key("items", func() { s.items(&disk.Before.Items) }),
			)
		}),
		jsonscan.Key("check", func() { s.raw(&disk.Check) }),
		jsonscan.Key("checked", func() { s.raw(&disk.Checked) }),
		jsonscan.Key("callLog", func() {
			s.Once(disk.CallLog == nil)
			disk.CallLog = &mark{}
			if raw := s.Raw(); string(raw) == "null" || disk.CallLog.UnmarshalJSON(raw) != nil {
				s.GiveUp()
			}
		}),
	)
}

func (s *scan) items(into *[]diskItem) { jsonscan.Objects(s.Scan, into, 16, s.item) }

func (s *scan) past(p *diskPast) {
	s.Fields(
		jsonscan.Key("item", func() { s.item(&p.Item) }),
		jsonscan.Key("how", &p.How),
		jsonscan.Key("at", &p.At),
	)
}

func (s *scan) item(item *diskItem) {
	s.Fields(
		jsonscan.Key("id", (*string)(&item.ID)),
		jsonscan.Key("content", &item.Content),
		jsonscan.Key("status", &item.Status),
		jsonscan.Key("priority", &item.Priority),
		jsonscan.Key("activeForm", &item.ActiveForm),
		jsonscan.Key("blocked", &item.Blocked),
		jsonscan.Key("task", &item.Task),
		jsonscan.Key("subtasks", func() { jsonscan.Objects(s.Scan, &item.Subtasks, 0, s.subtask) }),
		jsonscan.Key("toolCalls", func() { s.calls(&item.ToolCalls) }),
		jsonscan.Key("createdAt", &item.CreatedAt),
		jsonscan.Key("startedAt", &item.StartedAt),
		jsonscan.Key("completedAt", &item.CompletedAt),
	)
}

func (s *scan) subtask(sub *diskSub) {
	s.Fields(
		jsonscan.Key("id", (*string)(&sub.ID)),
		jsonscan.Key("content", &sub.Content),
		jsonscan.Key("status", &sub.Status),
		jsonscan.Key("toolCalls", func() { s.calls(&sub.ToolCalls) }),
	)
}

func (s *scan) calls(into *[]diskCall) { jsonscan.Objects(s.Scan, into, 8, s.call) }

func (s *scan) call(call *diskCall) {
	s.Fields(
		jsonscan.Key("id", (*string)(&call.ID)),
		jsonscan.Key("name", &call.Name),
		jsonscan.Key("parameters", &call.Parameters),
		jsonscan.Key("startedAt", &call.StartedAt),
		jsonscan.Key("endedAt", &call.EndedAt),
		jsonscan.Key("outcome", &call.Outcome),
	)
}

// raw reads a value of a list that is to come once.
func (s *scan) raw(into *json.RawMessage) {
	s.Once(*into == nil)
	*into = s.Raw()
}

// sum reads what todo.ContentSum made.
func (s *scan) sum() uint32 {
	n := s.Int()
	s.Once(n == int64(uint32(n)))
	return uint32(n)
}
