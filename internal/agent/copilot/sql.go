package copilot

import (
	"encoding/json"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
)

// Copilot CLI has no tool for a list: its agents keep one in a table of a
// database that the session has, and a hook sees only the statements.
//
//	INSERT INTO todos (id, title, status) VALUES ('parser', 'Write parser', 'pending'), …
//	UPDATE todos SET status = 'done' WHERE id IN ('parser', 'tests')
//	DELETE FROM todos WHERE id = 'parser'
//
// Only these forms are read. A statement with anything else in it, a condition
// on another column, a subquery, is passed over whole: to guess its rows would
// be to lose track of the list unnoticed.
const (
	maxSQL      = 64 << 10 // bytes of a query; a longer one is not about a list of todos
	maxSQLTasks = 200      // changes that are taken of one query, as many as a list has todos
)

// sqlRollback undoes what stands before it.
const sqlRollback = "rollback"

// tasksOfSQL returns what a call of the sql tool did to the table of todos.
//
//	{"description": "Start todo", "query": "UPDATE todos SET status = 'in_progress' WHERE id = 'parser'"}
func tasksOfSQL(args json.RawMessage) []agent.NativeTask {
	var in struct{ Query, Database string }
	if json.Unmarshal(args, &in) != nil || len(in.Query) > maxSQL || in.Database != "" && in.Database != "session" {
		return nil
	}
	words, ok := sqlWords(in.Query)
	if !ok {
		return nil
	}
	var tasks []agent.NativeTask
	for len(words) > 0 {
		end := 0
		for end < len(words) && !words[end].is(";") {
			end++
		}
		s := sqlStatement{words: words[:end]}
		words = words[min(end+1, len(words)):]
		if s.take(sqlRollback) {
			return nil
		}
		if done := s.tasks(); len(tasks)+len(done) <= maxSQLTasks {
			tasks = append(tasks, done...)
		}
	}
	return tasks
}

// A sqlWord is a name, a number or a mark, or the text between single quotes.
type sqlWord struct {
	text   string
	quoted bool
}

func (w sqlWord) is(word string) bool { return !w.quoted && strings.EqualFold(w.text, word) }

// sqlWords takes a query apart, without its comments.
func sqlWords(query string) ([]sqlWord, bool) {
	var words []sqlWord
	for i := 0; i < len(query); {
		c := query[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case strings.HasPrefix(query[i:], "--"):
			end := strings.IndexByte(query[i:], '\n')
			if end < 0 {
				return words, true
			}
			i += end
		case strings.HasPrefix(query[i:], "/*"):
			end := strings.Index(query[i+2:], "*/")
			if end < 0 {
				return nil, false
			}
			i += end + 4
		case c == '\'' || c == '"' || c == '`':
			text, n := sqlQuoted(query[i:])
			if n == 0 {
				return nil, false
			}
			words = append(words, sqlWord{text, c == '\''})
			i += n
		case sqlLetter(c):
			end := i + 1
			for end < len(query) && sqlLetter(query[end]) {
				end++
			}
			words = append(words, sqlWord{text: query[i:end]})
			i = end
		default:
			words = append(words, sqlWord{text: query[i : i+1]})
			i++
		}
	}
	return words, true
}

// sqlQuoted returns the text that begins with a quote, where a double one
// stands for one, and its length in the query; 0 is one without an end.
func sqlQuoted(query string) (string, int) {
	quote := query[0]
	var b strings.Builder
	for i := 1; i < len(query); i++ {
		if query[i] == quote {
			if i+1 == len(query) || query[i+1] != quote {
				return b.String(), i + 1
			}
			i++
		}
		b.WriteByte(query[i])
	}
	return "", 0
}

func sqlLetter(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// A sqlStatement is read from its front.
type sqlStatement struct{ words []sqlWord }

// take takes these words from the front, all of them or none.
func (s *sqlStatement) take(words ...string) bool {
	if len(words) > len(s.words) {
		return false
	}
	for i, word := range words {
		if !s.words[i].is(word) {
			return false
		}
	}
	s.words = s.words[len(words):]
	return true
}

func (s *sqlStatement) next() (w sqlWord, ok bool) {
	if len(s.words) == 0 {
		return w, false
	}
	w, s.words = s.words[0], s.words[1:]
	return w, true
}

// tasks is what the statement does to the todos, as far as that is certain.
func (s *sqlStatement) tasks() []agent.NativeTask {
	switch {
	case s.take("insert", "into", "todos"), s.take("replace", "into", "todos"), s.take("insert", "or", "replace", "into", "todos"):
		return s.inserted()
	case s.take("update", "todos", "set"):
		return s.updated()
	case s.take("delete", "from", "todos"):
		return s.changed(agent.NativeTask{Status: "deleted"})
	}
	return nil
}

func (s *sqlStatement) inserted() []agent.NativeTask {
	columns := []string{"id", "title", "description", "status", "created_at", "updated_at"} // as the table has them
	if s.take("(") {
		columns = nil
		for {
			w, ok := s.next()
			if !ok || w.quoted {
				return nil
			}
			columns = append(columns, strings.ToLower(w.text))
			if s.take(")") {
				break
			}
			if !s.take(",") {
				return nil
			}
		}
	}
	if !s.take("values") {
		return nil
	}
	var tasks []agent.NativeTask
	for {
		task := agent.NativeTask{Status: "pending"}
		if !s.take("(") {
			return nil
		}
		for i, column := range columns {
			if i > 0 && !s.take(",") || !s.value(column, &task) {
				return nil
			}
		}
		if !s.take(")") || task.ID == "" || task.Subject == "" {
			return nil
		}
		tasks = append(tasks, task)
		if len(s.words) == 0 {
			return tasks
		}
		if !s.take(",") {
			return nil
		}
	}
}

func (s *sqlStatement) updated() []agent.NativeTask {
	var change agent.NativeTask
	for {
		column, ok := s.next()
		if !ok || column.quoted || column.is("id") || !s.take("=") || !s.value(column.text, &change) {
			return nil
		}
		if !s.take(",") {
			return s.changed(change)
		}
	}
}

// value reads the value of a column into the task. Of the columns that a list
// has no place for it may be anything that ends.
func (s *sqlStatement) value(column string, task *agent.NativeTask) bool {
	var to *string
	switch strings.ToLower(column) {
	case "id":
		to = &task.ID
	case "title":
		to = &task.Subject
	case "status":
		to = &task.Status
	default:
		return s.skip()
	}
	w, ok := s.next()
	*to = w.text
	return ok && w.quoted && w.text != ""
}

// skip takes one value, which may be a call: datetime('now').
func (s *sqlStatement) skip() bool {
	w, ok := s.next()
	if !ok || !w.quoted && !sqlLetter(w.text[0]) || w.is("case") {
		return false
	}
	if !s.take("(") {
		return true
	}
	for depth := 1; depth > 0; {
		w, ok := s.next()
		switch {
		case !ok:
			return false
		case w.is("("):
			depth++
		case w.is(")"):
			depth--
		}
	}
	return true
}

// changed reads which todos a change is made to: the rest of the statement.
func (s *sqlStatement) changed(change agent.NativeTask) []agent.NativeTask {
	if change.Status == "" && change.Subject == "" {
		return nil
	}
	if len(s.words) == 0 {
		return []agent.NativeTask{change}
	}
	if !s.take("where") {
		return nil
	}
	var tasks []agent.NativeTask
	add := func() bool {
		w, ok := s.next()
		if ok && w.quoted && w.text != "" {
			change.ID = w.text
			tasks = append(tasks, change)
		}
		return ok && w.quoted
	}
	for {
		switch {
		case s.take("id", "="):
			if !add() {
				return nil
			}
		case s.take("id", "in", "("):
			for {
				if !add() {
					return nil
				}
				if s.take(")") {
					break
				}
				if !s.take(",") {
					return nil
				}
			}
		default:
			return nil
		}
		if len(s.words) == 0 {
			return tasks
		}
		if !s.take("or") {
			return nil
		}
	}
}
