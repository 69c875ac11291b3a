// Package checklist reads the formats that keep their tasks as check boxes of one Markdown
// file, by convention called tasks.md: [SpecKit], [OpenSpec], [Kiro] and [PlanFile]. They
// have its lines in common, the tasks that are made of them ([Doc]), and ticking the boxes
// ([Tick]).
package checklist

import (
	"bytes"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"

	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/plan"
	"github.com/pawl-dev/pawl/internal/text"
)

// A Line is a line of the file.
type Line struct {
	No     int    // from 1
	Level  int    // of a heading; zero: it is none
	Bullet bool   // an item of a list
	Box    byte   // what its box holds; zero: it has none
	Star   bool   // a * right behind the box
	Indent int    // in columns
	Text   string // without indent, bullet and box, or without the marks of a heading
	Code   bool   // in a code block
	Quoted bool   // a box in a quote
}

var (
	heading = &text.Regexp{Expr: `^(#{1,6})[ \t]+(.*?)[ \t]*#*$`}
	// A box holds a mark or none, which spaces may surround. Behind it is a space, or
	// the text at once, unless that makes it a link.
	box    = &text.Regexp{Expr: `^([ \t]*(?:>[ \t]?)*[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[)([ \t]*(?:[xX]|[^\pL\pN\s\[\]])?[ \t]*)\](?:(\*?)(?:[ \t]|$)|[^\s(\[])`}
	item   = &text.Regexp{Expr: `^[-*+][ \t]+`}
	number = &text.Regexp{Expr: `^(\d{1,6}(?:\.\d{1,6})*)[.)]?\s+`}
)

// Done reports whether the box is ticked.
func (l Line) Done() bool { return l.Box == 'x' || l.Box == 'X' }

// Lines takes a text apart. Comments and front matter are left out.
func Lines(text []byte) []Line {
	var lines []Line
	fence, comment, front := "", false, false
	no := 0
	for raw := range bytes.Lines(text) {
		no++
		line := strings.TrimRight(string(raw), "\r\n \t")
		trimmed := strings.TrimLeft(line, " \t")
		l := Line{No: no, Indent: plan.Columns(line[:len(line)-len(trimmed)]), Text: trimmed}
		switch {
		case no == 1 && line == "---":
			front = true
			continue
		case front:
			front = line != "---" && no < 100
			continue
		case comment:
			comment = !strings.Contains(line, "-->")
			continue
		case fence != "":
			if l.Code = true; plan.ClosesFence(trimmed, fence) {
				fence = ""
			}
		case plan.OpensFence(trimmed) != "":
			fence, l.Code = plan.OpensFence(trimmed), true
		case strings.HasPrefix(trimmed, "<!--"):
			comment = !strings.Contains(line, "-->")
			continue
		default:
			l.read(line)
		}
		lines = append(lines, l)
	}
	return lines
}

func (l *Line) read(line string) {
	if m := heading.Get().FindStringSubmatch(l.Text); m != nil && l.Indent < 4 {
		l.Level, l.Text = len(m[1]), m[2]
	} else if m := box.Get().FindStringSubmatchIndex(line); m != nil {
		mark, end := strings.TrimSpace(line[m[4]:m[5]]), m[5]+1
		l.Quoted = strings.HasPrefix(l.Text, ">")
		if l.Bullet, l.Box, l.Star = true, ' ', m[7] > m[6]; mark != "" {
			l.Box = mark[0]
		}
		if l.Star {
			end = m[7]
		}
		l.Text = strings.TrimLeft(line[end:], " \t")
	} else if m := item.Get().FindString(l.Text); m != "" {
		l.Bullet, l.Text = true, l.Text[len(m):]
	}
}

// Number takes the number off a text, such as 1.2 or 3.
func Number(text string) (no, rest string) {
	m := number.Get().FindStringSubmatch(text)
	if m == nil {
		return "", text
	}
	return m[1], text[len(m[0]):]
}

// Tick sets boxes of a text, by the numbers of their lines, and changes nothing
// else. It refuses a text that is not UTF-8, and a line that has no box.
func Tick(text []byte, set map[int]bool) ([]byte, error) {
	if !utf8.Valid(text) {
		return nil, pawl.Errorf(pawl.Invalid, "it is not UTF-8: its boxes are ticked by hand")
	}
	var out []byte
	no, found := 0, 0
	for raw := range bytes.Lines(text) {
		no++
		if done, ok := set[no]; ok {
			line := raw
			if no == 1 {
				line = bytes.TrimPrefix(raw, []byte("\uFEFF"))
			}
			m := box.Get().FindSubmatchIndex(bytes.TrimRight(line, "\r\n \t"))
			if m == nil {
				return nil, pawl.Errorf(pawl.Conflict, "line %d has no box any longer", no)
			}
			found++
			from, to := len(raw)-len(line)+m[4], len(raw)-len(line)+m[5]
			mark := "x"
			switch was := strings.TrimSpace(string(raw[from:to])); {
			case !done:
				mark = " "
			case strings.EqualFold(was, "x"):
				mark = string(raw[from:to])
			}
			out = append(append(append(out, raw[:from]...), mark...), raw[to:]...)
			continue
		}
		out = append(out, raw...)
	}
	if found != len(set) {
		return nil, pawl.Errorf(pawl.Conflict, "it has %d lines, fewer than before", no)
	}
	return out, nil
}

// Key is what the tasks of a file are called by: its folder, without the folders
// that the format always has, and its name unless that is tasks.md. Two files of
// one project never share one, for the second would change the tasks of the first.
// It is "" for stdin.
func Key(in *imports.Input, usual string) string {
	if in.In != nil {
		return ""
	}
	place := in.Place
	if place == "" { // outside of the project, where nobody needs to read the whole path
		place = path.Join(filepath.Base(in.Root), in.Path)
	}
	folder, name := path.Split(place)
	key := within(strings.Trim(folder, "/"), usual)
	if name != "tasks.md" {
		key = strings.TrimPrefix(key+"/"+name, "/")
	}
	if runes := []rune(key); len(runes) > maxKey {
		key = string(runes[:maxKey-13]) + "~" + Sum(key)
	}
	return key
}

// maxKey leaves room for a task's own name in [imports.MaxRef].
const maxKey = 100

// within is a folder without the folders that the format always has.
func within(folder, usual string) string {
	i := strings.LastIndex("/"+folder+"/", "/"+usual+"/")
	if i < 0 {
		return folder
	}
	before, after := folder[:max(i-1, 0)], strings.Trim(folder[min(i+len(usual), len(folder)):], "/")
	if before != "" && after != "" {
		return before + "/" + after
	}
	return before + after
}

func slug(s string) string { return text.Slug(s, true) }
