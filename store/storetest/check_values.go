package storetest

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// values are what a store has to carry without a scratch. JSON is compact, the
// form in which it is compared.
func values() []struct {
	name string
	set  func(t *pawl.Task)
} {
	texts := func(s string) func(*pawl.Task) {
		return func(t *pawl.Task) {
			t.Subject, t.Description, t.ActiveForm, t.Owner = "S"+s, s, s, "O"+s
			t.Labels, t.Notes = []string{"L" + s}, []pawl.Note{{Text: s, By: s}}
			t.Hold = &pawl.Hold{Reason: "H" + s, By: s}
		}
	}
	raw := func(value string) func(*pawl.Task) {
		return func(t *pawl.Task) {
			t.Metadata = map[string]json.RawMessage{"key": json.RawMessage(value)}
			t.Extra = map[string]json.RawMessage{"theirs": json.RawMessage(value)}
		}
	}
	return []struct {
		name string
		set  func(t *pawl.Task)
	}{
		{"plain text", texts("plain")},
		{"text with quotes and backslashes", texts(`"'` + "`" + `\ \\ \n \u0041 ${x} $1 %s %%`)},
		{"text with line ends and tabs", texts("a\nb\r\nc\rd\te\n")},
		{"text with spaces around", texts("  a  ")},
		{"text in many scripts", texts("ä é ß 漢字 кириллица עברית 🙂👩‍👩‍👧 e\u0301")},
		{"text like markup", texts("<b>&amp;</b> <!-- --> ]]> </script>")},
		{"text with line separators", texts("a\u2028b\u2029c\u0085d\ufeff")},
		{"text with control characters", texts("\x01\x1b[31m\x7f\u009b")},
		{"text with the replacement character", texts("\ufffd")},
		{"text like JSON", texts(`{"a":[1,null]}`)},
		{"a long description", func(t *pawl.Task) { t.Description = strings.Repeat("0123456789abcde\n", pawl.MaxDescription/16) }},
		{"many labels", func(t *pawl.Task) {
			for i := range pawl.MaxLabels {
				t.Labels = append(t.Labels, fmt.Sprint("label ", i))
			}
		}},
		{"many notes", func(t *pawl.Task) {
			for i := range 100 {
				t.Notes = append(t.Notes, pawl.Note{By: "ada", Text: fmt.Sprint("note ", i)})
			}
		}},
		{"JSON that is null", raw(`null`)},
		{"JSON that is empty", raw(`{}`)},
		{"JSON numbers as they were spelt", raw(`[1.50,1e3,-0,1E+2,0.1,123456789012345678901234567890]`)},
		{"JSON strings as they were escaped", raw(`["\u00e9","é","\/","/","\u2028","<&>","\ud83d\ude42"]`)},
		{"JSON keys in their order", raw(`{"z":1,"a":{"y":2,"b":3},"":4}`)},
		{"JSON with one key twice", raw(`{"a":1,"a":2}`)},
		{"JSON that is deep", raw(strings.Repeat("[", 30) + strings.Repeat("]", 30))},
		{"keys of all sorts", func(t *pawl.Task) {
			t.Metadata = map[string]json.RawMessage{"": json.RawMessage(`1`), "ä \"\n": json.RawMessage(`2`), "<": json.RawMessage(`3`), "id": json.RawMessage(`4`)}
			t.Extra = map[string]json.RawMessage{"": json.RawMessage(`1`), "ä \"\n": json.RawMessage(`2`), "<": json.RawMessage(`3`), "Subject": json.RawMessage(`4`)}
		}},
		{"times to the millisecond", func(t *pawl.Task) {
			at := time.Date(1999, 12, 31, 23, 59, 59, 999_000_000, time.UTC)
			t.CreatedAt, t.UpdatedAt, t.StartedAt, t.CompletedAt = at, at.Add(time.Millisecond), at.AddDate(50, 0, 0), time.Unix(0, 1_000_000).UTC()
			t.Notes = []pawl.Note{{At: at}}
		}},
		{"a claim with a lease", func(t *pawl.Task) {
			t.Status, t.Owner = pawl.InProgress, "ada"
			t.Claim = pawl.Claim{Session: "s/1 ü", Agent: "a", Token: 1, Lease: pawl.Duration(90*time.Second + time.Millisecond), Until: time.Date(2026, 3, 1, 1, 2, 3, 4_000_000, time.UTC)}
		}},
		{"a person's claim", func(t *pawl.Task) {
			t.Status, t.Owner, t.Claim = pawl.InProgress, "eve", pawl.Claim{Session: "tty", Token: 1}
		}},
		{"another clone's claim", func(t *pawl.Task) {
			t.Status, t.Owner = pawl.InProgress, "ada"
			t.Claim = pawl.Claim{Session: "s1", Token: 1, Lease: pawl.Duration(time.Hour), Until: time.Date(2026, 3, 1, 1, 2, 3, 4_000_000, time.UTC), Clone: "mac-mini-3f2a9c1d"}
		}},
		{"a confirmed claim", func(t *pawl.Task) {
			t.Status, t.Owner = pawl.InProgress, "ada"
			t.Claim = pawl.Claim{Session: "s1", Token: 1, Confirmed: time.Date(2026, 3, 1, 1, 2, 3, 4_000_000, time.UTC)}
		}},
		{"a check with everything", func(t *pawl.Task) { t.Checks = []pawl.Check{unitCheck} }},
		{"a check with a plain name and odd arguments", func(t *pawl.Task) {
			t.Checks = []pawl.Check{{Name: "ä 漢字 <&>", Run: []string{"sh", "-c", "echo \"$HOME\" | tr '\\n' \"\\t\" && exit 1\n", "", " ", "\x1b[31m\u2028"}}}
		}},
		{"many checks and criteria", func(t *pawl.Task) {
			for i := range pawl.MaxChecks {
				c := pawl.Check{Name: fmt.Sprint("check ", i), Run: []string{"run", fmt.Sprint(i)}, Optional: i%3 == 0}
				t.Checks, t.Accept = append(t.Checks, c), append(t.Accept, pawl.Criterion{Text: fmt.Sprint("criterion ", i)})
				t.Evidence = append(t.Evidence, ranCheck(c, time.Date(2026, 3, 1, 1, 2, i, 4_000_000, time.UTC), true))
			}
		}},
		{"a criterion that is not ticked", func(t *pawl.Task) { t.Accept = []pawl.Criterion{{Text: "it is \"so\" <&> ä"}} }},
		{"evidence of a check that the task has not", func(t *pawl.Task) {
			t.Evidence = []pawl.Evidence{ranCheck(unitCheck, time.Date(2026, 3, 1, 1, 2, 3, 4_000_000, time.UTC), false)}
		}},
		{"evidence without version control", func(t *pawl.Task) {
			t.Checks = []pawl.Check{unitCheck}
			t.Evidence = []pawl.Evidence{{Check: unitCheck.Name, Sum: unitCheck.Sum(), Tree: pawl.NoTree, Passed: true}}
		}},
		{"leases that ran out", func(t *pawl.Task) { t.Expired = 2 }},
		{"a hold without words", func(t *pawl.Task) { t.Hold = &pawl.Hold{} }},
		{"nothing but a subject", func(t *pawl.Task) { *t = pawl.Task{ID: t.ID, Subject: "s", Status: pawl.Pending} }},
		{"everything", func(t *pawl.Task) { next := full(t.ID); next.Blocks = t.Blocks; *t = next }},
	}
}
