package git

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/text"
)

// programKeys match what a configuration can say about programs on the way to a remote.
const programKeys = `core\.(sshcommand|gitproxy)|credential\.(.*\.)?helper|remote\..*\.(uploadpack|receivepack|vcs)|url\..*\.(insteadof|pushinsteadof)`

// elsewhere matches a configuration that includes other files.
var elsewhere = &text.Regexp{Expr: `(?i)include|worktreeconfig`}

// own notes a setting of the clone's own configuration, if it names a program.
func (s *settings) own(key, value string) {
	kind, rest, _ := strings.Cut(key, ".")
	item := key + "=" + value
	switch {
	case value == "" || slices.Contains(s.Own, item):
	case kind == "url" && reachable(rest[:strings.LastIndexByte(rest, '.')]) == nil: // another place, and no program
	case kind == "remote" && slices.Contains([]string{"url", "pushurl", "proxy"}, rest[strings.LastIndexByte(rest, '.')+1:]):
	default:
		s.Own = append(s.Own, item)
	}
}
