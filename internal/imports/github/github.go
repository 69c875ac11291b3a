// Package github reads what gh prints of issues as JSON, and what GitHub's own
// interface answers:
//
//	gh issue list --state all --limit 1000 --json number,title,body,state,stateReason,labels,assignees,milestone,createdAt,updatedAt,closedAt,url
//
// An issue's name is github:OWNER/REPO#N, as far as its url says it. A line such
// as "Blocked by #12" in its text is a dependency. Nothing is asked of a network.
package github

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/imports/checklist"
	"github.com/pawl-dev/pawl/internal/text"
)

const key = "github"

// Format is the issues of GitHub.
var Format = imports.Format{
	Name: key, Title: "GitHub issues", Shape: "what gh issue list --state all --limit 1000 --json number,title,body,state,… prints",
	Recognises: func(_ string, head []byte) bool {
		head = bytes.TrimSpace(head)
		return (bytes.HasPrefix(head, []byte("[")) || bytes.HasPrefix(head, []byte("{"))) && bytes.Contains(head, []byte(`"number"`)) && bytes.Contains(head, []byte(`"title"`)) &&
			(bytes.Contains(head, []byte(`"state"`)) || bytes.Contains(head, []byte("github.com")))
	},
	Read: read, Count: imports.CountObjects("", "["),
}

func read(in *imports.Input) (*imports.Result, error) {
	raw, err := in.Text()
	if err != nil {
		return nil, err
	}
	docs, err := imports.ParseAll(in.Path, raw)
	if err != nil {
		return nil, err
	}
	l := list{Result: &imports.Result{}, parents: map[string]string{}}
	var issues []imports.Value
	for _, doc := range docs {
		if doc.Is('{') && doc.Get("number").None() || !doc.Is('{') && !doc.Is('[') {
			return nil, pawl.Errorf(pawl.Invalid, "%s has no list of issues", in.Name())
		}
		issues = append(issues, flat(doc)...)
	}
	for _, v := range issues {
		in.Reading(v.At())
		l.issue(v)
	}
	for i := range l.Tasks {
		if t := &l.Tasks[i]; t.Parent.Name == "" && l.parents[t.Ref] != "" {
			t.Parent = pawl.RefName(l.parents[t.Ref])
		}
	}
	slices.SortStableFunc(l.Tasks, func(a, b imports.Task) int {
		return cmp.Or(len(a.Ref)-len(b.Ref), strings.Compare(a.Ref, b.Ref))
	})
	if n := len(issues); n == 30 || n == 100 || n == 1000 {
		l.Leave(imports.Position{File: in.Path}, "list that may have been cut: ask gh for more with --limit", "")
	}
	return l.Result, nil
}

// flat are the issues of a document: one, a list, or with --slurp a list of pages.
func flat(v imports.Value) (issues []imports.Value) {
	if !v.Is('[') {
		return []imports.Value{v}
	}
	for _, e := range v.Elements() {
		issues = append(issues, flat(e)...)
	}
	return issues
}

type list struct {
	*imports.Result
	parents map[string]string // as their sub-issues tell
}

var (
	address = &text.Regexp{Expr: `^https?://[^/]+/(?:repos/)?([^/]+/[^/]+)/(issues|pull|pulls)/[0-9]+`}
	blocked = &text.Regexp{Expr: `(?im)^[ \t*+-]*(?:\[[ x]\][ \t]*)?\**(?:blocked by|depends on|waits for)\**[ \t]*:?[ \t]*((?:(?:[\w.-]+/[\w.-]+)?#[0-9]+(?:[ \t]*(?:,|and|&)?[ \t]*))+)`}
	number  = &text.Regexp{Expr: `([\w.-]+/[\w.-]+)?#([0-9]+)`}
)

func (l *list) issue(v imports.Value) {
	f := imports.FieldsOf(v)
	n := f.Take("number")
	url, _ := f.Value("url").Text()
	if html, ok := f.Value("html_url").Text(); ok {
		url = html
	}
	repo, kind := "", ""
	if m := address.Get().FindStringSubmatch(url); m != nil {
		repo, kind = m[1], m[2]
	}
	switch {
	case !v.Is('{'):
		l.Leave(v.At(), "not an issue", "")
		return
	case n == "":
		l.Leave(v.At(), "no number", "")
		return
	case strings.HasPrefix(kind, "pull"), string(f.Value("isPullRequest").Raw()) == "true", !f.Value("pull_request").None():
		l.Leave(v.At(), "pull requests", "#"+n)
		return
	}
	t := imports.New(ref(repo, n), v.At())
	if !t.SetSubject(l.Result, f.Take("title")) {
		l.Leave(v.At(), "no title", "#"+n)
		return
	}
	body := f.Take("body")
	t.SetDescription(l.Result, body)
	l.state(&t, f)
	l.labels(&t, f)
	var names []string
	for _, who := range f.Value("assignees").Elements() {
		if login, ok := name(who, "login"); ok {
			names = append(names, login)
		}
	}
	t.Assign(names...)
	for _, at := range []struct {
		names []string
		dst   *time.Time
	}{{[]string{"createdAt", "created_at"}, &t.CreatedAt}, {[]string{"updatedAt", "updated_at"}, &t.UpdatedAt}, {[]string{"closedAt", "closed_at"}, &t.CompletedAt}} {
		for _, field := range at.names {
			f.TakeTime(l.Result, &t, field, at.dst)
		}
	}
	l.edges(&t, f, repo, body)
	f.Place("assignees")
	f.Rest(&t)
	l.Tasks = append(l.Tasks, t)
}

// said is what the author says: without code, comments and quotes of others.
func said(body string) string {
	var lines []string
	for _, l := range checklist.Lines([]byte(body)) {
		if !l.Code && !strings.HasPrefix(l.Text, ">") && !l.Quoted {
			lines = append(lines, l.Text)
		}
	}
	return strings.Join(lines, "\n")
}

func ref(repo, number string) string { return key + ":" + repo + "#" + number }

// name is a text, or the name in an object that stands for it.
func name(v imports.Value, field string) (string, bool) {
	if v.Is('{') {
		v = v.Get(field)
	}
	s, ok := v.Text()
	return s, ok && s != ""
}

func (l *list) state(t *imports.Task, f *imports.Fields) {
	state, reason := f.Take("state"), ""
	for _, field := range []string{"stateReason", "state_reason"} {
		if s := f.Take(field); s != "" {
			reason = strings.ToLower(s)
		}
	}
	t.State = state
	if !strings.EqualFold(state, "closed") {
		return
	}
	t.Status = pawl.Completed
	if reason != "" && reason != "completed" {
		t.AddLabels(strings.ReplaceAll(reason, "_", " ")) // not planned, duplicate
	}
}

func (l *list) labels(t *imports.Task, f *imports.Fields) {
	whole := true
	for _, v := range f.Value("labels").Elements() {
		label, ok := name(v, "name")
		whole = ok && t.AddLabels(label) && whole
		word := strings.ToLower(label)
		after, priority := strings.CutPrefix(word, "priority")
		if !priority && (len(word) != 2 || word[0] != 'p') {
			continue
		}
		if p, _, ok := imports.ParsePriority(strings.Trim(after, " :/-")); ok {
			t.Priority = p
		}
	}
	if whole {
		f.Place("labels")
	}
	if m, ok := name(f.Value("milestone"), "title"); ok {
		t.AddLabels(m)
	}
}

// edges takes dependencies that are fields, and if there is none those that the
// text tells of.
func (l *list) edges(t *imports.Task, f *imports.Fields, repo, body string) {
	links := func(field string) (refs []string) {
		v := f.Value(field)
		if v.Is('{') {
			v = v.Get("nodes")
		}
		for _, e := range v.Elements() {
			if n, ok := name(e, "number"); ok {
				refs = append(refs, ref(repo, n))
			}
		}
		return refs
	}
	on := slices.Concat(links("blockedBy"), links("blocked_by"))
	for _, sub := range slices.Concat(links("subIssues"), links("sub_issues")) {
		l.parents[sub] = t.Ref
	}
	if n, ok := name(f.Value("parent"), "number"); ok {
		t.Parent = pawl.RefName(ref(repo, n))
	}
	if len(on) == 0 {
		for _, m := range blocked.Get().FindAllStringSubmatch(said(body), 200) {
			for _, other := range number.Get().FindAllStringSubmatch(m[1], 200) {
				on = append(on, ref(cmp.Or(other[1], repo), other[2]))
			}
		}
	}
	for _, o := range on {
		t.After(o)
	}
}
