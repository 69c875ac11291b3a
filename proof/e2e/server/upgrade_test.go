//go:build unix

package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/server/pg"
)

// A release is the Pawl after this one: it has a migration that adds, and its program uses
// what that has added in place of what the next migration takes away.
type release struct {
	program string
	files   fstest.MapFS // all migrations up to that which takes away
}

// The table op gets another name. First both names are good, as a view has the new one;
// when no program uses the old name, it goes. The adding holds its locks for long, since
// it writes each task, and then some more.
var (
	adds = fmt.Sprintf(`-- +goose Up
lock table pawl.board in access exclusive mode;
alter table pawl.task add column size integer not null default 0;
create view pawl.answer as select * from pawl.op;
update pawl.task set size = length(doc);
create index task_size on pawl.task (board, size);
select pg_sleep(HOLD);
update pawl.meta set level = %d;
`, pg.Level+1)
	takesAway = fmt.Sprintf(`-- +goose Up
lock table pawl.board in access exclusive mode;
drop view pawl.answer;
alter table pawl.op rename to answer;
update pawl.meta set level = %d, least = %d;
`, pg.Level+2, pg.Level+1)
)

// nextRelease builds it: this program, with files laid over those of the repository.
func nextRelease(t *testing.T, hold time.Duration) release {
	t.Helper()
	dir, root := t.TempDir(), "../../.."
	laid := map[string]string{}
	over := func(path, text string) {
		t.Helper()
		is, err := filepath.Abs(filepath.Join(root, path))
		must(t, err)
		laid[is] = filepath.Join(dir, strings.ReplaceAll(path, "/", "_"))
		must(t, os.WriteFile(laid[is], []byte(text), 0o644))
	}
	changed := func(path string, old *regexp.Regexp, to string) {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(root, path))
		must(t, err)
		is := old.ReplaceAllString(string(text), to)
		if is == string(text) {
			t.Fatalf("%s has nothing that is %v", path, old)
		}
		over(path, is)
	}
	r := release{program: filepath.Join(dir, "pawl-server"), files: fstest.MapFS{}}
	all, err := filepath.Glob(filepath.Join(root, "server/pg/migrations/*.sql"))
	must(t, err)
	for _, name := range all {
		text, err := os.ReadFile(name)
		must(t, err)
		r.files[filepath.Base(name)] = &fstest.MapFile{Data: text}
	}
	adds := strings.ReplaceAll(adds, "HOLD", fmt.Sprint(hold.Seconds()))
	name := fmt.Sprintf("%05d_adds.sql", pg.Level+1)
	r.files[name] = &fstest.MapFile{Data: []byte(adds)}
	r.files[fmt.Sprintf("%05d_takes_away.sql", pg.Level+2)] = &fstest.MapFile{Data: []byte(takesAway)}
	over("server/pg/migrations/"+name, adds)
	changed("server/pg/migrate.go", regexp.MustCompile(`(?m)^const Level = \d+$`), fmt.Sprintf("const Level = %d", pg.Level+1))
	for _, path := range []string{"reader.go", "writing.go"} {
		changed("server/store/postgres/"+path, regexp.MustCompile(`\bpawl\.op\b`), "pawl.answer")
	}
	overlay := filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": laid})
	must(t, err)
	must(t, os.WriteFile(overlay, text, 0o644))
	build := exec.Command("go", "build", "-overlay", overlay, "-ldflags=-s -w", "-o", r.program, "./cmd/pawl-server")
	build.Dir, build.Env = filepath.Join(root, "server"), append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return r
}

// TestUpgrade: two servers are replaced by those of the next release, one after another,
// while clients work: first its migration, which has to wait for one who reads and then
// takes long, and when only new servers are left, the one that takes away what they do
// without. Clients notice delays only. A server of this release that was forgotten says
// why it refuses to work, and so does one that starts.
func TestUpgrade(t *testing.T) {
	long.Only(t)
	hold, rows := 15*time.Second, 200_000 // longer than a request waits for the database
	next := nextRelease(t, hold)
	database := pgtest.Server(t)
	dsn := newDatabase(t)
	o := Options{Store: dsn}
	servers := instances(t, 2, o)
	forgotten := Start(t, o)
	boss := forgotten.Token("old boss", "--board", "big", "--role", "admin")
	Fill(t, forgotten.Client(boss, "big"), rows)
	c := NewCampaign(t, "shop", *clients, servers...)
	replace := func(s *Server) {
		if took, clean := s.Stop(); !clean || *long.Asked && took > 10*time.Second {
			t.Errorf("a server ended after %v, cleanly: %v", took, clean)
		}
		s.Program = next.program
		s.Again()
	}
	steps := []struct {
		what string
		do   func()
	}{
		{"adding", func() {
			var reading sync.WaitGroup
			defer reading.Wait()
			began := make(chan struct{})
			reading.Go(func() {
				close(began)
				if _, err := database.Query(dsn, "select count(*), pg_sleep(3) from pawl.board"); err != nil {
					t.Error(err)
				}
			})
			<-began
			must(t, database.Await("select count(*) = 1 from pg_stat_activity where datname = '"+pgtest.NameOf(dsn)+"' and wait_event = 'PgSleep'"))
			m := NewMachine(t)
			m.Program = next.program
			if said := m.Pawl("", "serve", "migrate", "--store", dsn); said.Code != 0 || !strings.Contains(said.Out, fmt.Sprintf("from level %d to %d", pg.Level, pg.Level+1)) {
				t.Errorf("serve migrate: %d %s%s", said.Code, said.Out, said.Err)
			}
		}},
		{"replacing one", func() { replace(servers[0]) }},
		{"replacing the other", func() { replace(servers[1]) }},
		{"taking away", func() {
			if from, to, err := pg.MigrateWith(context.Background(), dsn, next.files); err != nil || from != pg.Level+1 || to != pg.Level+2 {
				t.Errorf("from level %d to %d, %v", from, to, err)
			}
		}},
	}
	n := 0
	c.Under(len(steps), 4**tasks, func() {
		began := time.Now()
		steps[n].do()
		t.Logf("%s took %v", steps[n].what, time.Since(began))
		n++
	})
	want := fmt.Sprintf("has tables of level %d, which need a Pawl of level %d; this one has %d", pg.Level+2, pg.Level+1, pg.Level)
	for _, body := range []string{`{"op":{"op":"create","tasks":[{"subject":"late"}]}}`, `{"op":{"op":"claim"}}`} {
		// After a while it lets nobody in, as it cannot read its tokens; then its log has the reason.
		refused, _ := forgotten.Do(boss, "big", body)
		if closed := refused.Status == http.StatusServiceUnavailable && strings.Contains(forgotten.Said(), want); !closed && !strings.Contains(refused.Body, want) {
			t.Errorf("a server that was forgotten says %d %s", refused.Status, clip(refused.Body))
		}
	}
	if ready := forgotten.Request("", http.MethodGet, "/readyz", ""); ready.Status != http.StatusServiceUnavailable {
		t.Errorf("a server that was forgotten says %d to /readyz", ready.Status)
	}
	if said := NewMachine(t).Pawl("", "serve", "--store", dsn, "--addr", "127.0.0.1:0"); said.Code == 0 || !strings.Contains(said.Err, want) {
		t.Errorf("a server that starts says %d %s%s", said.Code, said.Out, said.Err)
	}
	if left := database.SQL(t, dsn, "select count(*) from pawl.answer") + " " + database.SQL(t, dsn, "select count(*) from pawl.task where size = 0 and doc is not null and board = (select id from pawl.board where name = 'big')"); !strings.HasSuffix(left, " 0") || strings.HasPrefix(left, "0 ") {
		t.Errorf("answers, and tasks that the migration has not seen: %s", left)
	}
	c.Finish()
	database.SQL(t, dsn, fmt.Sprintf("alter table pawl.answer rename to op; update pawl.meta set level = %d, least = 1", pg.Level)) // for this test to read
	c.Check()
	if _, _, unknown := c.Ledger.Acknowledged(); unknown > 0 {
		t.Errorf("of %d ops it is not known whether they ran", unknown)
	}
}
