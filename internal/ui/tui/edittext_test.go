package tui

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

func TestRender(t *testing.T) {
	golden(t, "edit.txt", render(&pawl.Task{
		ID: 12, Subject: "Write the parser", Priority: pawl.High, Labels: []string{"core", "parser"}, Parent: 3,
		ActiveForm: "Writing the parser", Description: "# Grammar\n\nIt is in doc/grammar.md.",
	}))
}

// draftOf is a task as its text says it.
func draftOf(t testing.TB, task *pawl.Task) draft {
	t.Helper()
	return must.Get(parse(render(task), draft{}))(t)
}

func TestParse(t *testing.T) {
	before := draftOf(t, &pawl.Task{Subject: "Write the parser", Priority: pawl.High, Labels: []string{"core"}, Parent: 3, ActiveForm: "Writing", Description: "Text"})
	same := func(change func(*draft)) draft {
		d := before
		change(&d)
		return d
	}
	for _, c := range []struct {
		name, text string
		want       draft
		fault      string
	}{
		{"only a subject", "Other", same(func(d *draft) { d.subject, d.description = "Other", "" }), ""},
		{"fields that are gone stay", "Other\n\nText", same(func(d *draft) { d.subject = "Other" }), ""},
		{"fields without a value are emptied", "Write the parser\npriority:\nlabels:\nparent:\nactive form:\n\nText",
			draft{subject: "Write the parser", description: "Text"}, ""},
		{"spellings", "  Write   the parser \nPriority : LOW\nLABELS:b,  a ,b,\nparent:7\n\nText",
			same(func(d *draft) { d.priority, d.labels, d.parent = pawl.Low, []string{"b", "a"}, 7 }), ""},
		{"no parent", "Write the parser\nparent: none\n\nText", same(func(d *draft) { d.parent = 0 }), ""},
		{"a description that looks like fields", "Write the parser\n\npriority: low\n# a heading\n\n\nmore\n\n\n" + bottomMark + "\nrest",
			same(func(d *draft) { d.description = "priority: low\n# a heading\n\n\nmore" }), ""},
		{"the description begins with empty lines", "Write the parser\n\n\n\nText", same(func(d *draft) { d.description = "\n\nText" }), ""},
		{"line ends of Windows", "\ufeffWrite the parser\r\nlabels: core\r\n\r\nText\r\nmore\r\n" + bottomMark + "\r\n",
			same(func(d *draft) { d.description = "Text\nmore" }), ""},
		{"after a fault", withFault("Write the parser\n\nText", "line 1: it was bad"), before, ""},
		{"nothing", "", draft{}, "the first line is the subject, and it is empty"},
		{"no subject", "\npriority: low\n", draft{}, "the first line is the subject"},
		{"no empty line before the description", "Write the parser\npriority: low\nText: more\n\nof it", draft{}, "text: unknown field; put an empty line before the description"},
		{"none at all", "Write the parser\nlabels: core\nText\nmore: of it\n\nend\n\n" + bottomMark + "\nrest",
			same(func(d *draft) { d.description = "Text\nmore: of it\n\nend" }), ""},
		{"written above what was wrong", "Write the parser\n" + withFault("priority: low\n\nText", "bad\nworse"), same(func(d *draft) { d.priority = pawl.Low }), ""},
		{"a subject like a comment, after a fault", withFault("# 12\n\nText", "bad"), same(func(d *draft) { d.subject = "# 12" }), ""},
		{"without the end of what was wrong", topMark + "\n# bad\nWrite the parser\n\nText", before, ""},
		{"without the line above the explanation", "Write the parser\n\nText\n\n" + explained, before, ""},
		{"no field", "Write\nthe parser\npriority: low\n", draft{}, `"the parser" is not a field such as priority: high; put an empty line before the description`},
		{"near a field", "Write\n\x20prioritty: low\n", draft{}, `prioritty: unknown field; did you mean priority?`},
		{"far from a field", "Write\nhttps://pawl.dev\n", draft{}, `https: unknown field; put an empty line before the description; the fields are priority, labels, parent, active form`},
		{"several", "Write\npriority: soon\nparent: me\nlabels: a\nlabels: b\n", draft{}, `parent: "me" is not a task id`},
		{"no text", "a\xff", draft{}, "is not UTF-8"},
		{"too long", strings.Repeat("a", mostEdited+1), draft{}, "the limit is 1048576"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := parse(c.text, before)
			if c.fault != "" {
				if err == nil || !strings.Contains(err.Error(), c.fault) {
					t.Fatalf("got %v, want %q", err, c.fault)
				}
				return
			}
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v, %v, want %+v", got, err, c.want)
			}
		})
	}
	_, err := parse("\npriority: soon\nparent: me\nlabels: a\nlabels: b\n", before)
	if err == nil || strings.Count(err.Error(), "\n") != 3 {
		t.Errorf("all that is wrong is not told at once: %v", err)
	}
}

// Only what differs is sent.
func TestDraftChange(t *testing.T) {
	from := draft{subject: "a", labels: []string{"x", "y"}, priority: pawl.High, parent: 3, description: "d"}
	if op, changed := from.change(1, pawl.Was{}, from); changed {
		t.Errorf("%+v", op)
	}
	to := from
	to.labels, to.parent = []string{"y", "z"}, 0
	was := pawl.Was{Subject: new("a"), Parent: new(pawl.ID(3))}
	op, changed := from.change(1, was, to)
	want := pawl.Update{ID: 1, AddLabels: []string{"z"}, RemoveLabels: []string{"x"}, Parent: new(pawl.ID), Was: &pawl.Was{Parent: was.Parent}}
	if !changed || !reflect.DeepEqual(op, want) {
		t.Errorf("got %+v, want %+v", op, want)
	}
}

// A task that nobody edited is the same task, whatever it says.
func FuzzEdit(f *testing.F) {
	f.Add("Write the parser", "It is in\n\ndoc", "core, parser", "Writing", int8(1), int64(3), "line 1")
	f.Add(topMark, "\n"+bottomMark+"\nmore\n"+topEnd+"\n", ",,", "a: b", int8(-1), int64(0), topEnd+"\n")
	f.Add(" \ufeff a\ra\r", "", "\n", "", int8(1), int64(0), "")
	f.Add("\ufeff a\r\nb", "\r\n \r\n", "\n", "\x00", int8(0), int64(-1), "")
	f.Fuzz(func(t *testing.T, subject, description, labels, activeForm string, priority int8, parent int64, fault string) {
		task := pawl.Task{
			Subject: strings.ToValidUTF8(subject, "?"), Description: strings.ToValidUTF8(description, "?"), ActiveForm: strings.ToValidUTF8(activeForm, "?"),
			Labels: strings.Split(strings.ToValidUTF8(labels, "?"), ","), Priority: pawl.Priority(priority % 2), Parent: pawl.ID(max(0, parent%100)),
		}
		text := render(&task)
		if line := oneLine(task.Subject); line == "" || strings.HasPrefix(line, "\ufeff") {
			_, _ = parse(text, draft{}) // no task has such a one; it must not fall over anyway
			return
		}
		got, err := parse(text, draft{})
		if err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		if got.subject != oneLine(task.Subject) || got.activeForm != oneLine(task.ActiveForm) || got.priority != task.Priority || got.parent != task.Parent {
			t.Fatalf("%+v is read as %+v", task, got)
		}
		if want := strings.TrimRight(strings.ReplaceAll(task.Description, "\r\n", "\n"), "\n\r\t "); got.description != want {
			t.Fatalf("%q is read as %q", want, got.description)
		}
		if op, changed := got.change(1, pawl.Was{}, got); changed {
			t.Fatalf("%+v", op)
		}
		again, err := parse(withFault(withFault(text, fault), fault), draft{})
		if err != nil || !reflect.DeepEqual(again, got) {
			t.Fatalf("after a fault %+v is read as %+v: %v", got, again, err)
		}
	})
}
