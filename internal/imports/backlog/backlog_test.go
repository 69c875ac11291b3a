package backlog_test

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/imports/backlog"
	"github.com/pawl-dev/pawl/internal/imports/importstest"
)

func TestSample(t *testing.T) { importstest.Sample(t, &backlog.Format, "backlog") }

// TestWild: files as they were in older versions, and as people leave them.
func TestWild(t *testing.T) {
	root := importstest.Files(t,
		"backlog/config.yml", "project_name: x\nstatuses: [\"Open\", Doing, 'In Review', \"Shipped\"] # the last is done\ndefault_status: Open\n",
		"backlog/tasks/task-1 - First.md", "---\nid: task-1\ntitle: 'It''s: first'\nstatus: Shipped\nassignee: @ada\nsubtasks:\n  - task-01.1\n---\n\n# task-1 - First\n\n## Description\n\nText.\n\n```\n## Notes\n```\n\n## Implementation Notes\n\nDone it.\n",
		"backlog/tasks/task-1.1 - Child.md", "\uFEFF---\r\nid: TASK-1.1\r\ntitle: Child\r\nstatus: Doing\r\nassignee:\r\n- '@bob'\r\n- eve\r\ncreated_date: 2026-13-45\r\n---\r\nNo heading.\r\n",
		"backlog/tasks/task-2 - Old-prefix.md", "---\nid: BACK-2\nstatus: In Review\npriority: critical\ndependencies: [1, task-03, BACK-2, back-99]\nverify:\n  - type: bash\n    run: rm -rf /\n---\n- [ ] no criteria here\n",
		"backlog/tasks/task-3 - Strange.md", "---\nid: task-3\ntitle: Strange\nstatus: Someday\nlabels: a, b\ndependencies:\n  - BACK-2\nnotes: |\n  two\n  lines\n---\n",
		"backlog/tasks/task-3 - Twice.md", "---\nid: task-3\ntitle: Twice\n---\n",
		"backlog/tasks/README.md", "# Not a task\n",
		"backlog/tasks/task-4 - Latin.md", "---\nid: task-4\ntitle: caf\xe9\n---\n",
		"backlog/tasks/open.md", "---\nid: task-5\ntitle: never closed\n",
		"backlog/drafts/draft-1 - Idea.md", "---\nid: DRAFT-1\ntitle: Idea\nstatus: Draft\n---\n",
		"backlog/archive/tasks/task-7 - Gone.md", "---\nid: task-7\ntitle: Gone\n---\n",
		"backlog/completed/task-8 - Old.md", "---\nid: task-8\ntitle: Old\nstatus: Open\n---\n",
	)
	importstest.Golden(t, &backlog.Format, root, "backlog", "wild.txt")
}

func FuzzRead(f *testing.F) {
	importstest.Fuzz(f, &backlog.Format, "---\nid: task-1\ntitle: 'A'\nstatus: Done\nlabels: [a, \"b\"]\ndependencies:\n  - task-2\n---\n## Description\ntext\n## Acceptance Criteria\n- [x] #1 a\n",
		"---\nid: |\n  x\ntitle: >\n  y\n---\n<!-- AC:BEGIN -->\n")
}
