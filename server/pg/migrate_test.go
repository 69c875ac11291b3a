package pg_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/server/pg"
)

// Migrations are numbered without a gap, from the first that was released, and say which
// level they make. Later ones lock first what each reader and writer of a board locks
// first: else one that changes two tables and one who reads them wait for each other.
func TestMigrationsFollowTheRules(t *testing.T) {
	const first = 6
	files, err := filepath.Glob("migrations/*.sql")
	if err != nil || len(files) != pg.Level-first+1 {
		t.Fatalf("%d migrations, and the level is %d (%v)", len(files), pg.Level, err)
	}
	for i, name := range files {
		text := must.Get(os.ReadFile(name))(t)
		up := string(text)
		if level := first + i; !strings.HasPrefix(filepath.Base(name), fmt.Sprintf("%05d_", level)) {
			t.Errorf("%s is not number %d", name, level)
		} else if !strings.Contains(up, fmt.Sprintf("update pawl.meta set level = %d", level)) && !strings.Contains(up, fmt.Sprintf("insert into pawl.meta values (%d,", level)) {
			t.Errorf("%s does not say that the level is %d now", name, level)
		}
		if level := first + i; level > first && strings.Contains(up, "alter table") && !strings.HasPrefix(firstStatement(up), "lock table pawl.board in access exclusive mode") {
			t.Errorf("%s alters a table and does not begin with: lock table pawl.board in access exclusive mode", name)
		}
	}
}

// The page that sets a database up shows the level that its tables then have.
func TestPageNamesTheLevel(t *testing.T) {
	page := must.Get(os.ReadFile("../../docs/many-machines.md"))(t)
	if line := fmt.Sprintf("Made the tables in the database team at db.example.org:5432, level %d\n", pg.Level); !strings.Contains(string(page), line) {
		t.Errorf("docs/many-machines.md does not show: %s", line)
	}
}

func firstStatement(sql string) string {
	for line := range strings.Lines(sql) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "--") {
			return line
		}
	}
	return ""
}
