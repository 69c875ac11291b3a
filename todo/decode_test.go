package todo

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// brief shows todos a line each, without what is as by default:
//
//	2 [in_progress] Write tests (high; Writing tests) < 2.1 [completed] of the parser
func brief(items []Item) string {
	var b strings.Builder
	for _, it := range items {
		fmt.Fprintf(&b, "%s [%s] %s", it.ID, it.Status, it.Content)
		var more []string
		if it.Priority != Medium {
			more = append(more, string(it.Priority))
		}
		if it.ActiveForm != it.Content {
			more = append(more, it.ActiveForm)
		}
		if it.Blocked {
			more = append(more, "blocked")
		}
		if len(more) > 0 {
			fmt.Fprintf(&b, " (%s)", strings.Join(more, "; "))
		}
		for _, sub := range it.Subtasks {
			fmt.Fprintf(&b, " < %s [%s] %s", sub.ID, sub.Status, sub.Content)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (d Draft) brief() string {
	var b strings.Builder
	for _, it := range d.Items {
		b.WriteString(strings.TrimSuffix(brief([]Item{it.Item}), "\n"))
		if it.Leave != "" {
			fmt.Fprintf(&b, " -> %s", it.Leave)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// inJSON is a text as a string of JSON.
func inJSON(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestDecode(t *testing.T) {
	const one = "1 [pending] A\n"
	for _, tt := range []struct{ name, todos, want string }{
		{"an array", `[{"content":"A","status":"pending"}]`, one},
		{"nothing", `[]`, ""},
		{"texts", `["A","- [x] B","[ ] C"]`, one + "2 [completed] B\n3 [pending] C\n"},
		{"all fields", `[{"id":"a","content":"A","status":"in_progress","priority":"high","activeForm":"Doing A","subtasks":[{"id":"s","content":"S","status":"completed"}]}]`,
			"a [in_progress] A (high; Doing A) < s [completed] S\n"},

		{"wrapped in an object", `{"todos":[{"content":"A"}]}`, one},
		{"a plan, with its explanation", `{"explanation":"why","plan":[{"step":"A","status":"pending"}]}`, one},
		{"a string of JSON", inJSON(`[{"content":"A"}]`), one},
		{"a string of an object", inJSON(`{"todos": [{"content":"A"}]}`), one},
		{"a string in an object", `{"items":` + inJSON(`["A"]`) + `}`, one},
		{"twice a string", inJSON(inJSON(`["A"]`)), one},
		{"in a fence", inJSON("```json\n[{\"content\":\"A\"}]\n```"), one},
		{"a list in a list's object", `{"plan":{"type":"items","entries":[{"content":"A","priority":"low"}]}}`, "1 [pending] A (low)\n"},
		{"one todo without a list", `{"content":"A","status":"pending"}`, one},
		{"no JSON at all", "- [ ] A\n", one},
		{"JSON with a comma too many", inJSON(`[{"content":"A",},]`), one},
		{"Python", inJSON(`[{'content': 'Don\'t say "no" \u00e9\x21', 'status': None, 'x': (True, False,)}]`), "1 [pending] Don't say \"no\" é!\n"},

		{"Python over two lines", inJSON("[{'content': 'A \\\nand B \\U0001f600'}]"), "1 [pending] A and B 😀\n"},

		{"text keys", `[{"text":"A"},{"step":"B"},{"subject":"C"},{"title":"D"},{"task":"E"},{"name":"F"},{"description":"G"}]`,
			"1 [pending] A\n2 [pending] B\n3 [pending] C\n4 [pending] D\n5 [pending] E\n6 [pending] F\n7 [pending] G\n"},
		{"a title and its description", `[{"description":"long","title":"A"}]`, one},
		{"a blank content and a title", `[{"content":" ","title":"A"}]`, one},
		{"the task of a todo is no text", `[{"task":12,"name":"A"}]`, one},
		{"letter case and separators of keys", `[{"Content":"A","Active_Form":"B","SUB_TASKS":["S"]}]`, "1 [pending] A (B) < 1.1 [pending] S\n"},
		{"one field twice", `[{"content":"A","active_form":"later","activeForm":"first"}]`, "1 [pending] A (first)\n"},
		{"a number as content", `[{"content":5}]`, "1 [pending] 5\n"},
		{"space around it", `[{"id":" a ","content":"\n A ","status":" pending "}]`, "a [pending] A\n"},
		{"null", `[{"id":null,"content":"A","status":null,"priority":null,"activeForm":null,"subtasks":null}]`, one},
		{"unknown keys", `[{"content":"A","blockedBy":["1"],"notes":{}}]`, one},
		{"tool calls are ours", `[{"content":"A","toolCalls":[{"id":"t","name":"x","parameters":{}}]}]`, one},

		{"numeric ids", `[{"id":7,"content":"A"},{"id":"x","content":"B"},{"content":"C"}]`, "7 [pending] A\nx [pending] B\n3 [pending] C\n"},
		{"an id in the way of a position", `[{"content":"A","id":"2"},{"content":"B"},{"content":"C"}]`, "2 [pending] A\n1 [pending] B\n3 [pending] C\n"},

		{"words for pending", `[{"content":"A","status":""},{"content":"B","status":"todo"},{"content":"C","status":"Not Started"},{"content":"D","status":"[ ]"},{"content":"E","done":false}]`,
			"1 [pending] A\n2 [pending] B\n3 [pending] C\n4 [pending] D\n5 [pending] E\n"},
		{"words for in progress", `[{"content":"A","status":"in-progress"},{"content":"B","status":"In Progress"},{"content":"C","status":"doing"},{"content":"D","state":"WIP"},{"content":"E","status":"[>]"}]`,
			"1 [in_progress] A\n2 [in_progress] B\n3 [in_progress] C\n4 [in_progress] D\n5 [in_progress] E\n"},
		{"words for completed", `[{"content":"A","status":"done"},{"content":"B","status":"COMPLETE"},{"content":"C","status":"finished"},{"content":"D","completed":true},{"content":"E","status":"✓"},{"content":"F","status":"x"}]`,
			"1 [completed] A\n2 [completed] B\n3 [completed] C\n4 [completed] D\n5 [completed] E\n6 [completed] F\n"},
		{"blocked", `[{"content":"A","status":"blocked"},{"content":"B","status":"waiting"},{"content":"C","status":"pending","blocked":true},{"content":"D","status":"in_progress","blocked":true}]`,
			"1 [pending] A (blocked)\n2 [pending] B (blocked)\n3 [pending] C (blocked)\n4 [in_progress] D\n"},
		{"what leaves", `[{"content":"A","status":"cancelled"},{"content":"B","status":"skipped"},{"content":"C","status":"deleted"}]`,
			"1 [pending] A -> cancelled\n2 [pending] B -> cancelled\n3 [pending] C -> deleted\n"},
		{"priorities", `[{"content":"A","priority":"P0"},{"content":"B","priority":"Critical"},{"content":"C","priority":"normal"},{"content":"D","priority":3},{"content":"E","priority":1}]`,
			"1 [pending] A (high)\n2 [pending] B (high)\n3 [pending] C\n4 [pending] D (low)\n5 [pending] E (high)\n"},

		{"subtasks", `[{"content":"A","children":["S",{"text":"T","status":"done"},{"content":"U","status":"removed"}]}]`, "1 [pending] A < 1.1 [pending] S < 1.2 [completed] T\n"},
		{"subtasks of subtasks", `[{"content":"A","subtasks":[{"content":"S","subtasks":[{"content":"T"}]},"U"]}]`, "1 [pending] A < 1.1 [pending] S < 1.2 [pending] T < 1.3 [pending] U\n"},
		{"subtasks as a text", `[{"content":"A","subtasks":"- [x] S\n- T"},{"content":"B","subtasks":"[\"U\"]"}]`, "1 [pending] A < 1.1 [completed] S < 1.2 [pending] T\n2 [pending] B < 2.1 [pending] U\n"},
		{"ids of subtasks", `[{"id":"x","content":"A","subtasks":[{"id":"x.2","content":"S"},"T","U"]}]`, "x [pending] A < x.2 [pending] S < x.1 [pending] T < x.3 [pending] U\n"},

		{"a checklist", inJSON("# Plan\n\n- [x] A\n- [-] B\n* [~] C\n1. [→] D\n+ [>] E\n- F\n2) G\n[X] H\n---\n"),
			"1 [completed] A\n2 [in_progress] B\n3 [in_progress] C\n4 [in_progress] D\n5 [in_progress] E\n6 [pending] F\n7 [pending] G\n8 [completed] H\n"},
		{"a checklist with subtasks", inJSON("- [ ] A\n  - [x] S\n    - T\n- [ ] B\n\t- U\n"), "1 [pending] A < 1.1 [completed] S < 1.2 [pending] T\n2 [pending] B < 2.1 [pending] U\n"},
		{"a line that goes on", inJSON("- [ ] A\n      and more\n- B\n"), "1 [pending] A and more\n2 [pending] B\n"},
		{"our own text", inJSON("## Todo List (3 tasks)\n- [x] Plan\n- [→] ← current Write tests\n- [ ] Run tests\n"), "1 [completed] Plan\n2 [in_progress] Write tests\n3 [pending] Run tests\n"},
		{"glyphs", inJSON("✔ A\n→ B\n○ C\n"), "1 [completed] A\n2 [in_progress] B\n3 [pending] C\n"},
		{"hardly indented", inJSON("- A\n - B\n"), "1 [pending] A\n2 [pending] B\n"},
		{"a link is no box", inJSON("- [docs](x) A\n"), "1 [pending] [docs](x) A\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for range 10 { // keys come in any order
				draft, err := Decode([]byte(tt.todos), false)
				must.Do(t, err)
				if diff := cmp.Diff(tt.want, draft.brief()); diff != "" {
					t.Fatal(diff)
				}
			}
		})
	}
}

func TestDecodeFaults(t *testing.T) {
	many := func(n int, entry string) string {
		return "[" + strings.TrimSuffix(strings.Repeat(entry+",", n), ",") + "]"
	}
	long := strings.Repeat("é", MaxContent+1)
	for _, tt := range []struct {
		name, todos string
		merge       bool
		want        string
	}{
		{"all at once", `[{"content":"","status":"pending"},{"content":"B"},{"content":"C","status":"banana","priority":"huge"}]`, false,
			`todos.0.content: must not be blank; todos.2.status: "banana" is not a status: use pending, in_progress or completed; todos.2.priority: "huge" is not a priority: use high, medium or low`},
		{"nothing", ``, false, `todos: is required: an array of {content, status}`},
		{"null", `null`, false, `todos: must be an array of {content, status}, not null`},
		{"a number", `5`, false, `todos: must be an array of {content, status}, not a number`},
		{"an object of something else", `{"a":1}`, false, `todos: must be an array of {content, status}, not an object`},
		{"a word", `"x"`, false, `todos: is a text without a list: give an array of {content, status}, [] for none`},
		{"a blank text", `" "`, false, `todos: is a text without a list: give an array of {content, status}, [] for none`},
		{"torn JSON", inJSON(`[{"content":"A"`), false, `todos: is a string that is not JSON (unexpected end of JSON input): give an array of {content, status}`},
		{"wrapped too often", `{"todos":{"todos":{"todos":{"todos":{"todos":[]}}}}}`, false, `todos: must be an array of {content, status}, not wrapped over and over`},
		{"not UTF-8", "[\"\xff\"]", false, `todos: is not UTF-8`},
		{"NUL", `["a\u0000b"]`, false, `todos.0.content: is not text: it holds a NUL or bytes that are not UTF-8`},
		{"entries of other kinds", `[1,null,true,[]]`, false, `todos.0: must be an object with content and status, not a number; todos.1: must be an object with content and status, not null; ` +
			`todos.2: must be an object with content and status, not true or false; todos.3: must be an object with content and status, not an array`},
		{"no content", `[{"status":"pending"},{"id":"x"},{"content":" "},{"content":{}}]`, false, `todos.0.content: is required; ` +
			`todos.1.content: is required (with merge: true an id is enough to change a todo); todos.2.content: must not be blank; todos.3.content: must be a text, not an object`},
		{"no content in a merge", `[{"status":"pending"},{"id":"x"},{"id":"y","content":""}]`, true, `todos.0.content: is required, or the id of a todo that is there`},
		{"other kinds of fields", `[{"id":[],"content":"A","status":{},"priority":true,"activeForm":[],"subtasks":5}]`, false, `todos.0.id: must be a text, not an array; ` +
			`todos.0.activeForm: must be a text, not an array; todos.0.status: must be a text, not an object; todos.0.priority: must be a text, not true or false; ` +
			`todos.0.subtasks: must be an array of {content, status}, not a number`},
		{"ids twice", `[{"id":1,"content":"A"},{"id":"1","content":"B"},{"id":"a\nb","content":"C"}]`, false,
			`todos.1.id: "1" is the id of todos.0 already: give each todo its own; todos.2.id: holds control characters`},
		{"subtasks", `[{"content":"A","subtasks":[{"content":""},7,{"content":"S","status":"banana","id":"s"},{"content":"T","id":"s"}]}]`, false,
			`todos.0.subtasks.0.content: must not be blank; todos.0.subtasks.1: must be an object with content and status, or a text, not a number; ` +
				`todos.0.subtasks.2.status: "banana" is not a status: use pending, in_progress or completed; todos.0.subtasks.3.id: "s" is the id of another subtask already: give each its own`},
		{"a mark that nobody knows", inJSON("- [x] A\n- [q] B"), false, `todos.1.status: "[q]" is not a status: use pending, in_progress or completed`},
		{"an empty item", inJSON("- [x] A\n- [ ]"), false, `todos.1.content: must not be blank`},
		{"too long", inJSON("- " + long), false, `todos.0.content: has 2001 characters, and at most 2000 are kept: put the rest into a file`},
		{"too many", many(MaxItems+1, `"A"`), false, `todos: has 201 todos, and a list holds at most 200: plan the next steps, and keep the rest as tasks`},
		{"too many lines", inJSON(strings.Repeat("- A\n", 2*MaxItems)), false, `todos: has 400 todos, and a list holds at most 200: plan the next steps, and keep the rest as tasks`},
		{"too many subtasks", `[{"content":"A","subtasks":` + many(MaxSubtasks+1, `"S"`) + `}]`, false, `todos.0.subtasks: has more than 100 subtasks: make todos of some`},
		{"nested too deep", `["A",{"content":"B","subtasks":[{"content":"S","subtasks":[{"content":"T","subtasks":[{"content":"U","subtasks":[{"content":"V","subtasks":["W"]}]}]}]}]}]`, false,
			`todos.1.subtasks.0.subtasks.0.subtasks.0.subtasks.0.subtasks: are nested too deep: a subtask has no subtasks of its own`},
		{"too much", `["` + strings.Repeat("a", MaxInput) + `"]`, false, `todos: has 1048580 bytes, and at most 1048576 are read`},
		{"one fault over and over", many(30, `{"status":"pending"}`), false, strings.Repeat("; todos.N.content: is required", 20)[2:] + "; and 10 more"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			draft, err := Decode([]byte(tt.todos), tt.merge)
			if err == nil {
				t.Fatalf("accepted as\n%s", draft.brief())
			}
			want := "Invalid todo data: " + tt.want
			for i := 0; strings.Contains(want, "todos.N"); i++ {
				want = strings.Replace(want, "todos.N", fmt.Sprintf("todos.%d", i), 1)
			}
			if diff := cmp.Diff(want, err.Error()); diff != "" {
				t.Error(diff)
			}
			if fault, ok := errors.AsType[*pawl.Error](err); !ok || fault.Kind != pawl.Invalid || len(fault.Faults) == 0 {
				t.Errorf("the error is %#v, want one of kind Invalid with its faults", err)
			}
		})
	}
}

// What stands between the items of a checklist may have been meant as one.
func TestDecodeTellsWhatIsNoTodo(t *testing.T) {
	draft, err := Decode([]byte(inJSON("Here is the plan:\n\n## Plan\n- A\n[1] noise\n\n- B\n")), false)
	must.Do(t, err)
	if diff := cmp.Diff([]string{`Not taken for todos: "Here is the plan:", "[1] noise".`}, draft.Notes); diff != "" {
		t.Error(diff)
	}
}

func TestDecodeSays(t *testing.T) {
	draft, err := Decode([]byte(`[{"id":"2"},{"content":"A","status":"done","priority":"low","activeForm":"B","subtasks":[]}]`), true)
	must.Do(t, err)
	want := []Said{{ID: true}, {Content: true, Status: true, Priority: true, ActiveForm: true, Subtasks: true}}
	if diff := cmp.Diff(want, []Said{draft.Items[0].Said, draft.Items[1].Said}); diff != "" {
		t.Error(diff)
	}
}
