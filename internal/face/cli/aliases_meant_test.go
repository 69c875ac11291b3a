package cli

import (
	"strings"
	"testing"
)

// A hint that runs never writes what was not meant. Before, add -p high -t bug W was
// answered with a task called "bug W", done 3 4 -m text with a note on #3 only, and
// any word stood where a task must.
func TestHintsWriteWhatIsMeant(t *testing.T) {
	d := prepared(t)
	for typed, want := range map[string]string{
		"add -t bug Fix":            "pawl help add",
		"add -p high -t bug Fix":    "pawl help add",
		"add --title a --summary b": "pawl help add",
		"add -t Fix":                "pawl add Fix",
		"update 4 -t bug Fix":       "pawl help update",
		"hold 4 soon -m late":       "pawl help hold",
		"done 3 4 -m text":          "pawl help done",
		"split 3 one two":           "one task: pawl add 'one two' --parent 3; one for each word: pawl add one --parent 3 && pawl add two --parent 3",
		"split 3 a_b c_d --as bob":  "",
		"split nosuch one two":      "",
		"move 3 to 4":               "to have it wait for that one: pawl block 3 4; to have it inside that one: pawl update 3 --parent 4",
		"move 3 before 4":           "pawl block 4 3",
		"move 3 after 4":            "pawl block 3 4",
		"move 3 under 4":            "pawl update 3 --parent 4",
		"move 3 top":                "pawl help",
		"block 3 before":            "pawl help block",
		"block 3 before 4":          "pawl block 4 3",
		"priority high 3":           "pawl update 3 --priority high",
		"prio 3 1":                  "pawl help update",
		"set priority 4 2":          "pawl help update",
		"set priority 4 high":       "pawl update 4 --priority high",
		"log -3":                    "pawl log --limit 3",
		"edit 3":                    "pawl help update",
		"resume 3":                  "pawl reopen 3",
		"resume 5":                  "pawl lift 5",
		"tag 4 +urgent":             "pawl update 4 --add-label urgent",
		"tag nosuch urgent":         "pawl help update",
		"tasks of bob":              "pawl list --owner bob",
		"assign 4 to bob":           "pawl assign 4 --to bob",
		"list --deleted":            "pawl log",
		"take next":                 "pawl claim",
		"take nosuch":               "pawl help claim",
		"cancel 3 4":                "to delete it: pawl rm 3 4; to give it back: pawl release 3 4",
	} {
		args := strings.Fields(typed)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "_", " ")
		}
		if typed == "split 3 a_b c_d --as bob" {
			want = "pawl add 'a b' --parent 3 --as bob && pawl add 'c d' --parent 3 --as bob"
		}
		if want == "" {
			want = "pawl help add"
		}
		_, hint, _ := strings.Cut(d.run(args...).err, "hint: ")
		if got := strings.TrimSuffix(hint, "\n"); got != want {
			t.Errorf("pawl %s hints at\n\t%q, want\n\t%q", typed, got, want)
		}
	}
}
