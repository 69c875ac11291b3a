package hook

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/nudge"
)

// ProxiedAgent is an agent whose events a proxy sees, by what its program calls itself to
// an editor: @vendor/claude-agent is claude. It hears only what stands before a prompt.
func ProxiedAgent(name string) *agent.Agent {
	a := agent.Agent{Name: strings.ToLower(name)}
	words := strings.FieldsFunc(a.Name, func(r rune) bool { return !unicode.IsLetter(r) })
	for _, k := range known.Agents {
		if slices.Contains(words, k.Name) {
			a = *k
			break
		}
	}
	var h agent.Hooks
	if a.Hooks != nil {
		h = agent.Hooks{Native: a.Hooks.Native, Owns: a.Hooks.Owns, EachModel: a.Hooks.EachModel, Model: a.Hooks.Model, ByEntry: a.Hooks.ByEntry, Pauses: a.Hooks.Pauses, Shown: a.Hooks.Shown}
	}
	h.Encode = func(e agent.Event, _ agent.Answer) []byte {
		if e.Kind == nudge.Start || e.Kind == nudge.Prompt {
			return []byte("it is heard")
		}
		return nil
	}
	a.Hooks = &h
	return &a
}

// Proxied answers an event that a proxy saw, which began at a time, as Run answers one of a
// hook. hooked: the agent has hooks that tell of this session, and nothing was done: there
// is one mirror of a list and one who keeps an agent going.
func Proxied(ctx context.Context, env Env, client *agent.Agent, since time.Time, e agent.Event) (answer agent.Answer, hooked bool) {
	log := logOf(env.Getenv, env.Now)
	defer func() {
		if r := recover(); r != nil {
			log.add(fmt.Errorf("panic: %v\n%s", r, debug.Stack()))
		}
	}()
	state, err := userdir.State(env.Getenv)
	if err != nil || e.Session == "" {
		return agent.Answer{}, false
	}
	s := env.session(client, state, &e)
	s.since, s.located = since, true // what started the proxy is an editor, not the agent
	defer s.close()
	if answer, err = s.handle(ctx, e); err != nil {
		log.add(fmt.Errorf("%s %s: %w", client.Name, e.Name, err))
	}
	return answer, s.hooked
}

// stands finds out who tells of the session's events. Both write its notebook: one that a
// hook wrote last, since the proxy began, belongs to hooks.
func (s *session) stands() {
	if s.since.IsZero() {
		s.mem.Proxied = false
		return
	}
	s.hooked = s.book.line != nil && !s.mem.Proxied && !s.book.at.Before(s.since)
	if s.mem.Proxied = true; s.mem.Shown == "" {
		s.mem.Shown = s.client.Hooks.Shown // the proxy has the server started
	}
}
