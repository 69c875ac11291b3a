package github

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/imports/importstest"
)

// Pages, as gh api prints them with --paginate, --slurp and --jq '.[]'. Two were refused,
// and one gave no task.
func TestPages(t *testing.T) {
	const one, two = `{"number":1,"title":"One","state":"open"}`, `{"number":2,"title":"Two","state":"open"}`
	for _, text := range []string{"[" + one + "][" + two + "]", "[" + one + "]\n[" + two + "]\n", "[[" + one + "],[" + two + "]]", one + "\n" + two + "\n", "[" + one + "," + two + "]", "[[],[" + one + "," + two + "]]"} {
		r, err := importstest.Text(&Format, text)
		if err != nil || len(r.Tasks) != 2 || len(r.LeftOut) > 0 || r.Tasks[1].Subject != "Two" {
			t.Errorf("%s: %+v, %v", text, r, err)
		}
	}
	if r, err := importstest.Text(&Format, one+"\n["+two); err == nil || err.Error() != "line 2 is not JSON: unexpected end of JSON input" {
		t.Errorf("%+v, %v", r, err)
	}
}

// A quote, a comment or code is no word of the author's.
func TestQuotedBlockers(t *testing.T) {
	for body, edges := range map[string]int{
		`Blocked by #2`: 1, `- Blocked by #2`: 1, `- [ ] blocked by #2`: 1, `**Blocked by** #2`: 1, `* depends on: #2`: 1,
		`> Blocked by #2`: 0, `> - [ ] Blocked by #2`: 0, "```\\nBlocked by #2\\n```": 0, `<!-- Blocked by #2 -->`: 0, "<!--\\nBlocked by #2\\n-->": 0,
	} {
		r, err := importstest.Text(&Format, `[{"number":1,"title":"One","state":"open","body":"`+body+`"},{"number":2,"title":"Two","state":"open"}]`)
		if err != nil || len(r.Tasks) != 2 || len(r.Tasks[0].BlockedBy) != edges {
			t.Errorf("%s: %d edges, want %d; %v", body, len(r.Tasks[0].BlockedBy), edges, err)
		}
	}
}
