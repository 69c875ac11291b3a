package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A task of the plan that every tracker gets. A third is done; each open one
// depends on the one ten before it.
type task struct {
	id      int
	title   string
	text    string
	done    bool
	waitsOn int // zero: nothing
}

// makePlan makes a plan whose last tasks are open and depend on nothing, so that
// each tracker can show and complete them.
func makePlan(n int) []task {
	plan := make([]task, n)
	for i := range plan {
		t := task{id: i + 1, title: fmt.Sprintf("Task %d of the plan", i+1), text: strings.Repeat("What is to be done, in a few words. ", 6), done: i < n/3}
		if !t.done && i >= 10 && i < n-100 {
			t.waitsOn = i - 9
		}
		plan[i] = t
	}
	return plan
}

var peers = []peer{
	{
		name:    "pawl",
		version: []string{"version"},
		make:    makePawl,
		commands: map[string][]string{
			"next task":    {"ready", "--why"},
			"list":         {"list"},
			"show one":     {"show", "{open}"},
			"complete one": {"done", "{open}"},
		},
		add: []string{"add", "{subject}"},
		added: func(dir string) (map[string]string, error) {
			return inFiles(filepath.Join(dir, ".tasks", "task_*.json"), `"id": (\d+)`, `"subject": "([^"]*)"`)
		},
	},
	{
		name:    "backlog",
		version: []string{"--version"},
		make:    makeBacklog,
		commands: map[string][]string{
			"next task":    {"task", "list", "--ready", "--limit", "1", "--plain"},
			"list":         {"task", "list", "--plain"},
			"show one":     {"task", "view", "{open}", "--plain"},
			"complete one": {"task", "edit", "{open}", "-s", "Done", "--plain"},
		},
		add: []string{"task", "create", "{subject}", "--plain"},
		added: func(dir string) (map[string]string, error) {
			return inFiles(filepath.Join(dir, "backlog", "tasks", "*.md"), `(?m)^id: (.*)$`, `(?m)^title: (.*)$`)
		},
	},
	{
		name:    "task-master",
		version: []string{"--version"},
		make:    makeTaskMaster,
		commands: map[string][]string{
			"next task":    {"next"},
			"list":         {"list"},
			"show one":     {"show", "{open}"},
			"complete one": {"set-status", "--id={open}", "--status=done"},
		},
		add:   []string{"add-task", "--title={subject}", "--description=x"},
		added: inTaskMaster,
	},
}

// makePawl writes the files that any program may write.
func makePawl(dir string, run runner, plan []task) error {
	for _, t := range plan {
		status, blockedBy := "pending", []int{}
		if t.done {
			status = "completed"
		}
		if t.waitsOn > 0 && !plan[t.waitsOn-1].done {
			blockedBy = []int{t.waitsOn}
		}
		err := writeJSON(filepath.Join(dir, ".tasks", fmt.Sprintf("task_%d.json", t.id)), map[string]any{
			"id": t.id, "subject": t.title, "description": t.text, "status": status,
			"blockedBy": blockedBy, "blocks": []int{}, "owner": "",
		})
		if err != nil {
			return err
		}
	}
	_, _, err := run("note", fmt.Sprint(plan[0].id), "the first write records all files")
	return err
}

func makeBacklog(dir string, run runner, plan []task) error {
	if _, _, err := run("init", "peers", "--defaults", "--integration-mode", "none"); err != nil {
		return err
	}
	for _, t := range plan {
		status, dependencies := "To Do", "[]"
		if t.done {
			status = "Done"
		}
		if t.waitsOn > 0 {
			dependencies = fmt.Sprintf("[TASK-%d]", t.waitsOn)
		}
		text := fmt.Sprintf("---\nid: TASK-%d\ntitle: %s\nstatus: %s\nassignee: []\ncreated_date: '2026-01-01 10:00'\nlabels: []\ndependencies: %s\nordinal: %d\n---\n\n## Description\n\n<!-- SECTION:DESCRIPTION:BEGIN -->\n%s\n<!-- SECTION:DESCRIPTION:END -->\n",
			t.id, t.title, status, dependencies, t.id*1000, t.text)
		name := fmt.Sprintf("task-%d - %s.md", t.id, strings.ReplaceAll(t.title, " ", "-"))
		if err := write(filepath.Join(dir, "backlog", "tasks", name), []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

func makeTaskMaster(dir string, _ runner, plan []task) error {
	tasks := []map[string]any{}
	for _, t := range plan {
		status, dependencies := "pending", []int{}
		if t.done {
			status = "done"
		}
		if t.waitsOn > 0 {
			dependencies = []int{t.waitsOn}
		}
		tasks = append(tasks, map[string]any{
			"id": t.id, "title": t.title, "description": t.text, "details": "", "testStrategy": "",
			"status": status, "priority": "medium", "dependencies": dependencies, "subtasks": []any{},
		})
	}
	metadata := map[string]any{"created": "2026-01-01T00:00:00Z", "updated": "2026-01-01T00:00:00Z", "description": ""}
	return writeJSON(filepath.Join(dir, ".taskmaster", "tasks", "tasks.json"), map[string]any{"master": map[string]any{"tasks": tasks, "metadata": metadata}})
}

func writeJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return write(path, append(text, '\n'))
}

func write(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}

// inFiles finds the ids and subjects of tasks that are a file each.
func inFiles(pattern, id, subject string) (map[string]string, error) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		return nil, errors.Join(err, fmt.Errorf("no files: %s", pattern))
	}
	found := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		ids := regexp.MustCompile(id).FindStringSubmatch(string(text))
		subjects := regexp.MustCompile(subject).FindStringSubmatch(string(text))
		if ids == nil || subjects == nil {
			return nil, fmt.Errorf("%s has no id or no subject", file)
		}
		found[subjects[1]] = ids[1]
	}
	return found, nil
}

func inTaskMaster(dir string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(dir, ".taskmaster", "tasks", "tasks.json"))
	if err != nil {
		return nil, err
	}
	var file map[string]struct {
		Tasks []struct {
			ID    any
			Title string
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, err
	}
	found := map[string]string{}
	for _, t := range file["master"].Tasks {
		found[t.Title] = fmt.Sprint(t.ID)
	}
	return found, nil
}
