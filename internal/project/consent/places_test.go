package consent

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// writes matches code that finds or makes the user's folders, or keeps a list there.
var writes = regexp.MustCompile(`userdir\.(State|Config|Make)\(|userdir\.List\[`)

// noConsent are the files that may, besides this package, and why what they keep is no
// consent. What follows a person's yes is kept by this package. A token and an agent's
// permission are kept by others, and listed by pawl trust --list.
var noConsent = map[string]string{
	"cmd/pawl/acp.go":                       "tickets of the proxy, by session",
	"cmd/pawl/address.go":                   "the folder of answers of a board, by address",
	"cmd/pawl/brief.go":                     "a question that is asked again, by address",
	"cmd/pawl/courier.go":                   "what hooks leave to send, by address and session",
	"cmd/pawl/mcp.go":                       "notes of hooks, by process and session",
	"cmd/pawl/web.go":                       "the key of a page, of this user",
	"internal/access/file.go":               "tokens that a server gives out",
	"internal/boards/sharing.go":            "new numbers for todo lists, by session",
	"internal/checks/fresh.go":              "work trees that go again, under clone.ID",
	"internal/checks/memory.go":             "what tasks required and runs showed, under clone.ID; trust is here",
	"internal/courier/files.go":             "what hooks leave to send, by address and session",
	"internal/courier/post.go":              "the same",
	"internal/credentials/credentials.go":   "tokens, by address; listed by pawl trust --list",
	"internal/ui/cli/todo_forget.go":        "removes what is kept of a session",
	"internal/ui/cli/quiet.go":              "for how long nobody wants nudges: it allows nothing",
	"internal/ui/cli/request.go":            "notes of hooks, by process and session",
	"internal/ui/cli/setup_apply.go":        "asks hooks' notes of running sessions",
	"internal/ui/cli/setup_offer.go":        "that an offer was made: it allows nothing",
	"internal/ui/cli/sync_copy.go":          "what a copy of a list of boxes said last, under the clone's folder",
	"internal/ui/cli/todo.go":               "notes of hooks, by process and session",
	"internal/ui/hook/before.go":            "notes of a call, by session",
	"internal/ui/hook/hook.go":              "the memory of a session",
	"internal/ui/hook/log.go":               "a log of failures",
	"internal/ui/hook/memory.go":            "the memory of a session",
	"internal/ui/hook/proxy.go":             "the same",
	"internal/ui/team/audit.go":             "what a server's callers did",
	"internal/ui/team/certificate.go":       "a server's own certificate",
	"internal/ui/web/token.go":              "the key of a page, of this user",
	"internal/project/settings/settings.go": "the user's own settings, which they write",
	"internal/project/settings/write.go":    "the same",
	"internal/quiet/quiet.go":               "for how long nobody wants nudges: it allows nothing",
	"internal/remote/memory.go":             "answers of a board, by address",
	"internal/remote/seen.go":               "how far this machine has seen a board, by address",
	"internal/runs/journal/control.go":      "what people ask of a run, under clone.ID",
	"internal/runs/journal/journal.go":      "what a run has done, under clone.ID",
	"internal/setup/lock.go":                "a lock",
	"internal/setup/record.go":              "what setup wrote where; permissions in it are listed by pawl trust --list",
	"internal/attribution/notes.go":         "notes of hooks, by process and session",
	"internal/attribution/server.go":        "the same",
	"server/internal/host/database.go":      "a server's own folder",
	"todo/todofile/disk.go":                 "todo lists, by session",
	"todo/todofile/store.go":                "the same",
}

// Every place that writes into the user's folders is known, so that no other one can come to
// remember what a person has agreed to.
func TestPlaces(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	seen := map[string]bool{}
	must.Do(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		name := filepath.ToSlash(rel)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name == "internal/dev" || name == ".git" || name == ".tasks" || strings.HasSuffix(name, "node_modules") || entry.Name() == "testdata"):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || name == "internal/project/consent/consent.go" || name == "internal/userdir/list.go":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || !writes.Match(text) {
			return err
		}
		seen[name] = true
		if noConsent[name] == "" {
			t.Errorf("%s writes into the user's folders. If that is something that a person agrees to, package consent keeps it; else say here why it is not", name)
		}
		return nil
	}))
	for name := range noConsent {
		if !seen[name] {
			t.Errorf("%s no longer writes into the user's folders", name)
		}
	}
}
