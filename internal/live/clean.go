package live

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/todo"
)

// clean removes what the program keeps of the toy project, and returns what is
// left. Only what has the name of the toy or of one of its sessions is touched:
// both are new, and long.
func (s *story) clean(ctx context.Context) (left []string) {
	h := s.Agent.Headless
	sessions := s.sessions()
	if h.Forget != nil {
		for _, id := range sessions {
			ctx, cancel := context.WithTimeout(ctx, time.Minute)
			cmd := exec.CommandContext(ctx, s.Program, h.Forget(id)...)
			cmd.Dir, cmd.Env = s.root, s.env
			if err := cmd.Run(); err != nil {
				left = append(left, "the session "+id+": remove it with "+h.Program+" "+strings.Join(h.Forget(id), " "))
			}
			cancel()
		}
	}
	at := s.place()
	if h.Traces != nil {
		for _, pattern := range h.Traces(agent.Trace{Place: at, Dir: s.root, Sessions: sessions}) {
			found, _ := filepath.Glob(pattern)
			for _, path := range found {
				if !s.ours(path, sessions) {
					continue
				}
				if err := os.RemoveAll(path); err != nil {
					left = append(left, s.mask(path)+": cannot be removed: "+s.mask(err.Error()))
				}
			}
		}
	}
	if h.Named != nil {
		for _, pattern := range h.Named(at) {
			found, _ := filepath.Glob(pattern)
			for _, path := range found {
				left = append(left, s.mask(path)+": the program's own record, which may name the toy project")
			}
		}
	}
	return append([]string{}, left...)
}

// sessions are those of the look. An id that could be a pattern, or anything but
// a name, is none.
func (s *story) sessions() (all []string) {
	for _, n := range s.seen {
		if plainID(n.session) && !slices.Contains(all, n.session) {
			all = append(all, n.session)
		}
	}
	slices.Sort(all)
	return all
}

func plainID(id string) bool {
	const least = 16 // what is shorter may be in a name that is not of the session
	return len(id) >= least && strings.Trim(id[:1], "_-") != "" && !strings.ContainsFunc(id, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// ours reports whether a path can be of nothing but the toy.
func (s *story) ours(path string, sessions []string) bool {
	name := filepath.Base(path)
	return strings.HasSuffix(name, filepath.Base(s.root)) || slices.ContainsFunc(sessions, func(id string) bool { return strings.Contains(name, id) })
}

func (s *story) place() agent.Place {
	getenv := func(name string) string { return value(s.Environ, name) }
	p := agent.Place{Agent: s.Agent, Scope: agent.User, OS: runtime.GOOS, Home: s.Home, Getenv: getenv}
	if v := s.Agent.Config.Variable; v != "" && filepath.IsAbs(getenv(v)) {
		p.Profile = filepath.Clean(getenv(v))
	}
	return p
}

func secret(word string) bool { return todo.MaskText(word) != word }
