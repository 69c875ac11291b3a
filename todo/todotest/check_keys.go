package todotest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/todo"
)

// odd are keys that a store could mix up, or that could lead out of a folder.
func odd() []todo.Key {
	var keys []todo.Key
	for _, name := range []string{
		"a", "A", "b", "..", ".", "../a", "a/b", `a\b`, "/etc/passwd", "con", "nul.txt", "a.", "a..", "a b", "a+b", "a~b", "a%b", "%61",
		"a\x00b", "a:b", "\xff", "\xfe", "é", "e\u0301", "panels", ".work", "lost+found", ".lock", "a.json", "a.json-1",
		strings.Repeat("x", 300), strings.Repeat("x", 301), strings.Repeat("É", 150), strings.Repeat("y", 110),
	} {
		keys = append(keys, todo.Key{Session: name}, todo.Key{Session: name, Agent: "b"}, todo.Key{Session: "s", Agent: name})
	}
	return append(keys,
		todo.Key{Session: "a", Agent: "b+c"}, todo.Key{Session: "a+b", Agent: "c"},
		todo.Key{Session: strings.Repeat("y", 110), Agent: strings.Repeat("z", 40)}, todo.Key{Session: strings.Repeat("y", 109), Agent: "y" + strings.Repeat("z", 40)},
	)
}

func keyChecks() []check {
	return []check{
		{"4 keys are kept apart by every byte", func(w *world) {
			for i, key := range odd() {
				w.put(key, fmt.Sprint(i), at(i))
			}
			w.reopen()
			for i, key := range odd() {
				list := w.load(key)
				if len(list.Items) != 1 || list.Items[0].Content != fmt.Sprint(i) || list.Key != key {
					w.Errorf("the list of %q is %s", key, show(list))
				}
			}
			told := map[todo.Key]bool{}
			for _, head := range w.lists() {
				told[head.Key] = true
			}
			for _, key := range odd() {
				if !told[key] {
					w.Errorf("lists does not tell of %q", key)
				}
			}
			if len(told) != len(odd()) {
				w.Errorf("lists tells of %d keys, want %d", len(told), len(odd()))
			}
		}},
		{"4 names of one key lead to one list", func(w *world) {
			w.put(todo.Key{}, "x", at(0))
			for _, key := range []todo.Key{{Session: "default"}, {Session: " default\n"}, {Agent: "main"}, {Agent: " primary"}} {
				if list := w.load(key); len(list.Items) != 1 || list.Key != (todo.Key{Session: "default"}) {
					w.Errorf("%q has %s", key, show(list))
				}
			}
			w.remove(todo.Key{Agent: "main"})
			w.expect("after the other name was removed", w.load(todo.Key{}), todo.List{Key: todo.Key{Session: "default"}})
		}},
		{"6 lists tells of every list, the newest first", func(w *world) {
			if heads := w.lists(); len(heads) != 0 {
				w.Errorf("without lists there are %v", heads)
			}
			w.put(todo.Key{Session: "old"}, "one", at(1))
			w.put(todo.Key{Session: "new", Agent: "b"}, "two", at(3))
			w.put(todo.Key{Session: "new", Agent: "a"}, "three", at(3))
			w.update(mine, func(l *todo.List) { *l = full(mine) })
			w.reopen()
			heads := w.lists()
			var names []string
			for _, h := range heads {
				names = append(names, h.Session+"/"+h.Agent+" "+h.Title)
			}
			list := full(mine)
			if want := []string{"s1/ " + list.Items[1].Content, "new/a three", "new/b two", "old/ one"}; !slices.Equal(names, want) {
				w.Fatalf("lists tells of %q, want %q", names, want)
			}
			if heads[0] != list.Head() {
				w.Errorf("the head is %+v, want %+v", heads[0], list.Head())
			}
		}},
		{"5 nothing was set aside", func(w *world) {
			w.put(mine, "x", at(0))
			w.load(mine)
			w.lists()
			if problems := w.store.Problems(); len(problems) != 0 {
				w.Errorf("there are problems: %q", problems)
			}
		}},
	}
}
