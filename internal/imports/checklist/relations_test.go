package checklist_test

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/imports/checklist"
)

const related = `## Phase 1: Setup
- [ ] T001 [P] a
- [ ] T002 [P] b
- [ ] T003 [P] c
- [ ] T004 [P] d
- [ ] T005 [P] e
- [ ] T006 [P] f
## Dependencies
`

// What the section about dependencies says of tasks by name is an edge, or told.
func TestRelations(t *testing.T) {
	for line, want := range map[string]string{
		"- T003 blocks T006":                             "T006<T003",
		"- **T003** must be completed before **T006**":   "T006<T003",
		"- T006 depends on T001, T002 and T003":          "T006<T001 T006<T002 T006<T003",
		"- T004-T006 depend on T001":                     "T004<T001 T005<T001 T006<T001",
		"T001 → T002 → T003":                             "T002<T001 T003<T002",
		"- `T001` -> T004, T005":                         "T004<T001 T005<T001",
		"- T001 (Setup): blocks T002; T003 needs T002":   "T002<T001 T003<T002",
		"- T006 waits for T099":                          "left: T099",
		"- T001, T002 and T003 can run in parallel":      "",
		"- Setup first":                                  "",
		"- T001 does not block T002":                     "left: T001 does not block T002",
		"- Tests (T001) before implementation like T002": "left: Tests (T001) before implementation like T002",
	} {
		in := imports.Input{In: strings.NewReader(related + line + "\n")}
		r := must.Get(imports.Read(&checklist.SpecKit, &in))(t)
		var got []string
		for i := range r.Tasks {
			for _, on := range r.Tasks[i].BlockedBy {
				got = append(got, r.Tasks[i].Subject[:4]+"<"+number(r, on))
			}
		}
		for _, left := range r.LeftOut {
			got = append(got, "left: "+left.Detail)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s\n got %q\nwant %q", line, got, want)
		}
	}
}

// A file that relates everything to everything ends soon.
func TestRelationsOfAHostileFile(t *testing.T) {
	text := related + strings.Repeat("T001-T006 blocks T001-T006, "+strings.Repeat("T001-T006, ", 40)+"\n", 4_000)
	in := imports.Input{In: strings.NewReader(text)}
	r := must.Get(imports.Read(&checklist.SpecKit, &in))(t)
	for i := range r.Tasks {
		if n := len(r.Tasks[i].BlockedBy); n > 6 {
			t.Errorf("%d edges", n)
		}
	}
}

func number(r *imports.Result, ref pawl.Ref) string {
	for i := range r.Tasks {
		if r.Tasks[i].Ref == ref.Name {
			return r.Tasks[i].Subject[:4]
		}
	}
	return ref.Name
}
