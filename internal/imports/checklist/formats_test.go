package checklist_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/sample"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/imports/checklist"
	"github.com/pawl-dev/pawl/internal/imports/importstest"
)

// What boards get of each file, and what is told of it.
func TestFormats(t *testing.T) {
	for _, test := range []struct {
		format     *imports.Format
		file, want string
		place      string
		chain      bool
	}{
		{&checklist.SpecKit, "own/speckit.md", "speckit", "specs/001-cart/tasks.md", false},
		{&checklist.OpenSpec, "openspec/changes/add-global-install-scope/tasks.md", "openspec-open", "openspec/changes/add-global-install-scope/tasks.md", false},
		{&checklist.OpenSpec, "openspec/changes/add-update-workflow/tasks.md", "openspec-done", "openspec/changes/add-update-workflow/tasks.md", false},
		{&checklist.OpenSpec, "openspec/changes/archive/2025-08-06-add-init-command/tasks.md", "openspec-archived", "openspec/changes/archive/2025-08-06-add-init-command/tasks.md", true},
		{&checklist.OpenSpec, "openspec/changes/add-global-install-scope/tasks.md", "openspec-chain", "openspec/changes/add-global-install-scope/tasks.md", true},
		{&checklist.Kiro, "kiro/specs/photo-albums-en/tasks.md", "kiro-flat", ".kiro/specs/photo-albums-en/tasks.md", false},
		{&checklist.Kiro, "kiro/specs/customer-support-rag-backend-en/tasks.md", "kiro-headings", ".kiro/specs/customer-support-rag-backend-en/tasks.md", false},
		{&checklist.Kiro, "own/kiro-waves.md", "kiro-waves", ".kiro/specs/waves/tasks.md", false},
	} {
		t.Run(test.want, func(t *testing.T) {
			in := imports.Input{Root: "testdata", Path: test.file, Place: test.place, Chain: test.chain}
			defer in.Close()
			r := must.Get(imports.Read(test.format, &in))(t)
			var b strings.Builder
			b.WriteString(r.Told + "\n")
			importstest.Show(&b, r, importstest.Load(t, test.format, r))
			sample.Golden(t, filepath.Join("want", test.want+".txt"), b.String())
		})
	}
}

// The template has samples, not tasks.
func TestTemplate(t *testing.T) {
	_, err := importstest.Place(&checklist.SpecKit, "testdata", "speckit/tasks-template.md")
	if pawl.KindOf(err) != pawl.Invalid || !strings.Contains(err.Error(), "template: its 34 tasks are samples") {
		t.Errorf("got %v", err)
	}
}

// Broken and hostile files are read or refused, and a board takes what comes.
func TestHostile(t *testing.T) {
	for name, text := range map[string]string{
		"nested": strings.Repeat("  ", 500) + "- [ ] T001 deep\n## Phase 1: x\n" + func() (s string) {
			for i := range 300 {
				s += strings.Repeat(" ", i) + "- [ ] a\n"
			}
			return
		}(),
		"same id":     "## Phase 1: a\n- [ ] T001 a\n- [ ] T001 b\n- [ ] T001 b\n",
		"cycle":       "## Phase 1: a\n- [ ] T001 a (depends on T002)\n- [ ] T002 b (depends on T001, T002)\n",
		"no fence":    "## Phase 1: a\n- [ ] T001 a\n```\n- [ ] T002 b\n",
		"escapes":     "## Phase 1: \x1b[31mred\n- [ ] T001 \x1b]0;x\x07a\x00b\n",
		"giant":       "## 99999999999999999999. x\n- [ ] 99999999999999999999.1 y\n- [ ] 1.1.1.1.1.1.1.1.1.1 z\n- [ ] T99999999999999999999999 z\n",
		"subject":     "- [ ] T001 " + strings.Repeat("long ", 1000) + "\n",
		"only a box":  "- [ ] \n- [x]\n- [ ] T001\n",
		"waves":       "- [ ] 1. a\n```json\n{\"waves\": [[\"1\", 1, null, {}], 7, {\"tasks\": \"x\"}, {\"id\": 1, \"depends_on\": [9, 1], \"tasks\": [1]}]}\n```\n",
		"blank":       "\n",
		"mixed order": "## Phase 2: b\n- [x] T002 b\n## Phase 1: a\n- [ ] T001 a (after T002)\n",
	} {
		for _, f := range []*imports.Format{&checklist.SpecKit, &checklist.OpenSpec, &checklist.Kiro} {
			r, err := importstest.Text(f, text)
			if err != nil {
				if pawl.KindOf(err) != pawl.Invalid {
					t.Errorf("%s, %s: %v", f.Name, name, err)
				}
				continue
			}
			if len(r.Tasks) > 0 {
				importstest.Load(t, f, r)
			} else if name != "blank" && name != "only a box" {
				t.Errorf("%s, %s: no task", f.Name, name)
			}
		}
	}
	if _, err := importstest.Text(&checklist.SpecKit, strings.Repeat("- [ ] T001 a\n", 2001)); pawl.KindOf(err) != pawl.Invalid || !strings.Contains(err.Error(), "more than 2000 tasks") {
		t.Errorf("too many: %v", err)
	}
	if _, err := importstest.Text(&checklist.Kiro, "- [ ] 1. \xe4"); pawl.KindOf(err) != pawl.Invalid {
		t.Errorf("not UTF-8: %v", err)
	}
}

// Files beside one another, and files from outside, have names of their own: a
// second file once changed the tasks of the first.
func TestNoTwoFilesShareNames(t *testing.T) {
	for _, f := range []*imports.Format{&checklist.SpecKit, &checklist.OpenSpec, &checklist.Kiro} {
		names := map[string]string{}
		for _, place := range []string{
			"tasks.md", "plan.md", "docs/a.md", "docs/b.md", "docs/tasks.md", ".kiro/specs/x/tasks.md", ".kiro/specs/x/more.md", "specs/001-x/tasks.md",
			"specs/001-x/b.md", "openspec/changes/y/tasks.md", "openspec/changes/y/b.md", "sub/openspec/changes/y/tasks.md",
			strings.Repeat("long", 60) + "/1/tasks.md", strings.Repeat("long", 60) + "/2/tasks.md", "",
		} {
			root := importstest.Files(t, "in.md", "## 1. Phase\n- [ ] 1.1 T001 A\n- [ ] T001 B\n")
			in := imports.Input{Root: root, Path: "in.md", Place: place}
			r, err := imports.Read(f, &in)
			in.Close()
			if err != nil || len(r.Tasks) < 3 {
				t.Fatalf("%s, %q: %d tasks, %v; %v", f.Name, place, len(r.Tasks), err, r.LeftOut)
			}
			for _, task := range r.Tasks {
				if other, twice := names[task.Ref]; twice {
					t.Errorf("%s: %q and %q both have %s", f.Name, place, other, task.Ref)
				}
				names[task.Ref] = place
			}
		}
	}
}
