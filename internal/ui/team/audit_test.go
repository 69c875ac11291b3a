package team

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

func entries(t *testing.T, dir string) (all []Entry) {
	t.Helper()
	f := must.Get(os.Open(filepath.Join(dir, "audit.jsonl")))(t)
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var e Entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		all = append(all, e)
	}
	return all
}

// The audit says who did what, from where, what was forced and what was refused, and
// no text of a task.
func TestAudit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "audit")
	second := func() time.Time { return time.Unix(1_800_000_000, 0) }
	audit := must.Get(OpenAudit(dir, second, func(text string) { t.Error(text) }))(t)
	s := &Server{Options: Options{Audit: audit, Now: time.Now}}
	ada := access.Token{ID: "t1", Name: "ada", Person: true, Role: access.Work, Boards: []string{"shop"}}
	board := query.Local(pawl.NewBoard(memory.New()))
	ctx := withWay(t.Context(), way{"v1", "10.0.0.7"})
	carry := func(token access.Token, op pawl.Op) {
		_, _ = s.noting(access.Guard(board, token, time.Now), &token, "shop").Do(ctx, pawl.Request{By: pawl.Actor{Name: "mallory", Session: map[access.Role]string{access.Work: "s1", access.Read: "s1\x1b[2J"}[token.Role]}, Op: op}, 0)
	}
	carry(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "the hidden plan"}, {Subject: "two"}}})
	carry(ada, pawl.Complete{IDs: []pawl.ID{1}, Force: true})
	carry(ada, pawl.Complete{IDs: []pawl.ID{1}})
	carry(access.Token{ID: "t2", Name: "eve", Role: access.Read, Boards: []string{"shop"}}, pawl.Complete{IDs: []pawl.ID{2}})
	must.Do(t, audit.Close())
	if n := s.counts.changes.Load(); n != 2 {
		t.Errorf("%d changes are counted, want 2", n)
	}
	got := entries(t, dir)
	if len(got) != 3 {
		t.Fatalf("%d entries: %+v", len(got), got)
	}
	for i, want := range []Entry{
		{Event: "change", Token: "t1", Name: "ada", Verb: pawl.VerbCreate},
		{Event: "change", Token: "t1", Name: "ada", Verb: pawl.VerbComplete, Forced: true},
		{Event: "refused", Token: "t2", Name: "eve", Verb: pawl.VerbComplete},
	} {
		e := got[i]
		if e.Event != want.Event || e.Token != want.Token || e.Name != want.Name || e.Verb != want.Verb || e.Forced != want.Forced ||
			e.Board != "shop" || e.From != "10.0.0.7" || e.By != "v1" || strings.Contains(e.Session, "\x1b") || len(e.At) != len("2026-11-21T10:00:00.000Z") {
			t.Errorf("entry %d is %+v", i, e)
		}
	}
	if got[0].Revision == 0 || len(got[0].Tasks) != 2 || got[2].Why == "" {
		t.Errorf("got %+v", got)
	}
	text, err := os.ReadFile(filepath.Join(dir, "audit.jsonl"))
	if err != nil || strings.Contains(string(text), "hidden plan") {
		t.Errorf("%s, %v", text, err)
	}
	if info, err := os.Stat(filepath.Join(dir, "audit.jsonl")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// The files of an audit do not grow without end, and guesses do not fill them.
func TestAuditIsBounded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "audit")
	now := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)
	audit := must.Get(OpenAudit(dir, func() time.Time { return now }, func(text string) { t.Error(text) }))(t)
	defer audit.Close()
	for range 3 * mostDenied {
		audit.Deny(Entry{From: "10.0.0.7"})
	}
	if n := len(entries(t, dir)); n != mostDenied+1 {
		t.Errorf("%d refusals are recorded in a minute", n)
	}
	for range 3 * mostRefused {
		audit.Refuse(Entry{Token: "t1"})
	}
	now = now.Add(time.Minute)
	audit.Refuse(Entry{Token: "t1"})
	if all := entries(t, dir); len(all) != mostDenied+1+mostRefused+1 || all[len(all)-1].Omitted != 2*mostRefused {
		t.Errorf("%d entries are recorded, at last %+v", len(all), all[len(all)-1])
	}
	for range mostAudits + 5 {
		now = now.Add(time.Minute)
		audit.size = maxAuditFile
		audit.Note(Entry{Event: "change"})
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != mostAudits {
		t.Errorf("%d files, %v", len(files), err)
	}
	if n := len(entries(t, dir)); n != 1 {
		t.Errorf("%d entries in the newest file", n)
	}
}
