package copilot

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

func TestTasksOfSQL(t *testing.T) {
	for _, c := range []struct {
		query string
		want  string // "id:subject:status" of each change
	}{
		{`INSERT INTO todos (id, title, description, status) VALUES ('a','Write parser','Parse it','pending'),('b','Add tests','Unit','in_progress')`,
			"a:Write parser:pending b:Add tests:in_progress"},
		{`insert into todos(title, id) values('A','a');`, "a:A:pending"},
		{`INSERT INTO "todos" ("id", "title") VALUES ('a', 'A')`, "a:A:pending"},
		{`INSERT INTO todos VALUES ('a', 'A', NULL, 'done', datetime('now', '-1 day'), CURRENT_TIMESTAMP)`, "a:A:done"},
		{`INSERT OR REPLACE INTO todos (id, title) VALUES ('a', 'A')`, "a:A:pending"},
		{`INSERT INTO todos (id, title) VALUES ('it''s', 'a, (b) -- c; d "e"')`, `it's:a, (b) -- c; d "e":pending`},
		{"-- a plan\nINSERT INTO todos (id, title) /* two\nlines */ VALUES ('a', 'Größe prüfen')", "a:Größe prüfen:pending"},
		{`UPDATE todos SET status = 'done' WHERE id = 'a'`, "a::done"},
		{`UPDATE todos SET status='done', updated_at=datetime('now'), title='B' WHERE id='a' OR id IN ('b','c')`, "a:B:done b:B:done c:B:done"},
		{`UPDATE todos SET status = 'done'`, "::done"},
		{`DELETE FROM todos WHERE id = 'a'`, "a::deleted"},
		{`DELETE FROM todos`, "::deleted"},
		{`BEGIN; INSERT INTO todos (id, title) VALUES ('a','A'); INSERT INTO todo_deps VALUES ('a','b'); UPDATE todos SET status='done' WHERE id='a'; COMMIT;`,
			"a:A:pending a::done"},

		// What is not certain is nothing.
		{`UPDATE todos SET status = 'done' WHERE id = 'a' AND status = 'pending'`, ""},
		{`UPDATE todos SET status = 'done' WHERE status = 'in_progress'`, ""},
		{`UPDATE todos SET status = 'done' WHERE id LIKE 'a%'`, ""},
		{`UPDATE todos SET status = 'done' WHERE id IN (SELECT todo_id FROM todo_deps)`, ""},
		{`UPDATE todos SET status = CASE id WHEN 'a' THEN 'done' ELSE status END`, ""},
		{`UPDATE todos SET description = 'x' WHERE id = 'a'`, ""},
		{`UPDATE todos SET id = 'b' WHERE id = 'a'`, ""},
		{`UPDATE todos SET title = title || '!' WHERE id = 'a'`, ""},
		{`INSERT INTO todos (id, title) SELECT id, title FROM other`, ""},
		{`INSERT INTO todos (id, title) VALUES ('a', 'A') ON CONFLICT DO NOTHING`, ""},
		{`INSERT OR IGNORE INTO todos (id, title) VALUES ('a', 'A')`, ""},
		{`INSERT INTO todos (id) VALUES ('a')`, ""},
		{`INSERT INTO todos (id, title) VALUES ('a', 'A'), ('b')`, ""},
		{`INSERT INTO todos_old (id, title) VALUES ('a', 'A')`, ""},
		{`INSERT INTO todos (id, title) VALUES ('a', 'A'); ROLLBACK`, ""},
		{`INSERT INTO todos (id, title) VALUES ('a', 'A`, ""},
		{`SELECT * FROM todos WHERE id = 'a'`, ""},
		{`SELECT 'INSERT INTO todos (id, title) VALUES (''a'', ''A'')'`, ""},
		{``, ""},
	} {
		var got []string
		for _, task := range tasksOfSQL(sqlCall(t, c.query)) {
			got = append(got, fmt.Sprintf("%s:%s:%s", task.ID, task.Subject, task.Status))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.query, strings.Join(got, " "), c.want)
		}
	}
}

func TestSQLLimits(t *testing.T) {
	row := "('%d','T')"
	var rows []string
	for i := range maxSQLTasks {
		rows = append(rows, fmt.Sprintf(row, i))
	}
	insert := "INSERT INTO todos (id, title) VALUES "
	if n := len(tasksOfSQL(sqlCall(t, insert+strings.Join(rows, ",")))); n != maxSQLTasks {
		t.Errorf("%d changes are taken, want %d", n, maxSQLTasks)
	}
	rows = append(rows, fmt.Sprintf(row, maxSQLTasks))
	if n := len(tasksOfSQL(sqlCall(t, insert+strings.Join(rows, ",")))); n != 0 {
		t.Errorf("%d changes are taken of too many, want none", n)
	}
	long := "DELETE FROM todos WHERE id = 'a' -- " + strings.Repeat("x", maxSQL)
	if n := len(tasksOfSQL(sqlCall(t, long))); n != 0 {
		t.Errorf("a query of %d bytes was read", len(long))
	}
}

func sqlCall(t testing.TB, query string) json.RawMessage {
	t.Helper()
	args := must.Get(json.Marshal(map[string]string{"query": query}))(t)
	return args
}

// FuzzTasksOfSQL: whatever a query is, it ends in changes that name something.
func FuzzTasksOfSQL(f *testing.F) {
	f.Add(`INSERT INTO todos (id, title) VALUES ('a', 'it''s'), ('b', 'B'); UPDATE todos SET status = 'done', updated_at = datetime('now')`)
	f.Add(`UPDATE todos SET status='done' WHERE id IN ('a','b') OR id = 'c'; DELETE FROM todos /* all */ -- really`)
	f.Add(`INSERT INTO todos VALUES ((((`)
	f.Fuzz(func(t *testing.T, query string) {
		tasks := tasksOfSQL(sqlCall(t, query))
		if len(tasks) > maxSQLTasks {
			t.Errorf("%d changes", len(tasks))
		}
		for _, task := range tasks {
			if task.Subject == "" && task.Status == "" {
				t.Errorf("%+v changes nothing", task)
			}
		}
	})
}
