package local

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/runs/engine"
	"github.com/pawl-dev/pawl/internal/runs/program"
	"github.com/pawl-dev/pawl/internal/supervise"
	"github.com/pawl-dev/pawl/internal/text"
)

const (
	maxStream = 4 << 20  // bytes of the stream that are read at a time
	maxLine   = 1 << 20  // a longer line is passed over
	maxErrors = 16 << 10 // the end of standard error
)

// A process is an agent's program at work. Its output goes to files, so that it can
// outlive the runner; each look reads on from where the last one ended.
type process struct {
	p       *supervise.Process
	program *program.Program
	reader  *program.Reader
	dir     string

	mu   sync.Mutex
	at   int64 // of the stream that was read
	line []byte
	long bool // the line is too long, and passed over
	look engine.Look
}

// Look reads what the program has printed since the last look.
func (p *process) Look() engine.Look {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.readAll()
	return p.look
}

// readAll reads what is there now, however much: a limit that is told behind it must not
// wait.
func (p *process) readAll() {
	info, err := os.Stat(filepath.Join(p.dir, StreamFile))
	if err != nil {
		return
	}
	p.read()
	for before := int64(-1); before != p.at && p.at < info.Size(); {
		before = p.at
		p.read()
	}
}

func (p *process) read() {
	file, err := os.Open(filepath.Join(p.dir, StreamFile))
	if err != nil {
		return
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return
	}
	size := info.Size()
	if errors, err := os.Stat(filepath.Join(p.dir, ErrorsFile)); err == nil {
		size += errors.Size()
	}
	if size > p.look.Output {
		p.look.Output, p.look.Sign = size, info.ModTime()
	}
	part, err := io.ReadAll(io.NewSectionReader(file, p.at, maxStream))
	if err != nil {
		return
	}
	p.at += int64(len(part))
	for line := range bytes.Lines(part) {
		whole := bytes.HasSuffix(line, []byte("\n"))
		if p.long = p.long || len(p.line)+len(line) > maxLine; !p.long {
			p.line = append(p.line, line...)
		}
		if whole {
			if !p.long {
				p.said(bytes.TrimSpace(p.line))
			}
			p.line, p.long = p.line[:0], false
		}
	}
}

func (p *process) said(line []byte) {
	if len(line) == 0 {
		return
	}
	p.reader.Line(line, time.Now())
	s := p.reader.Seen()
	p.look.Usage = runs.Usage{Tokens: int64(s.Usage.Sum()), Money: s.Usage.Money}
	p.look.Session, p.look.Doing, p.look.Answer = s.Session, s.Doing, s.Text
	p.look.Failed, p.look.Limited, p.look.Until = s.Failed, s.Limited, s.Until
	if p.look.Refused = s.Refused; s.Plan != nil {
		p.look.Todos = make([]runs.Todo, len(s.Plan.Todos))
		for i, t := range s.Plan.Todos {
			p.look.Todos[i] = runs.Todo(t)
		}
	}
}

// Wait waits for the end of the program.
func (p *process) Wait(ctx context.Context) (engine.End, error) {
	end, err := p.p.Wait(ctx)
	if err == nil && end.How == supervise.Unknown { // what it started may still write
		end, err = p.p.Stop(ctx, "its keeper was killed")
	}
	if err != nil {
		return engine.End{}, err
	}
	return p.over(end), nil
}

// Stop ends the program.
func (p *process) Stop(ctx context.Context, why string) error {
	_, err := p.p.Stop(ctx, why)
	return err
}

// over reads what it printed to its end.
func (p *process) over(end supervise.End) engine.End {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.readAll()
	if len(p.line) > 0 && !p.long {
		p.said(bytes.TrimSpace(p.line))
		p.line = nil
	}
	said := tailOf(filepath.Join(p.dir, ErrorsFile))
	out := engine.End{OK: end.How == supervise.Exited && end.Exit == 0, Lost: end.How == supervise.Unknown, How: words(end), Tail: said}
	if until, limited := p.program.Limited(p.look.Failed+"\n"+said, time.Now()); limited && !out.OK {
		p.look.Limited, p.look.Until = true, until
		if p.look.Failed == "" {
			p.look.Failed = text.Line(program.LastLine(said))
		}
	}
	if out.OK && p.look.Failed == "" {
		p.look.Limited = false // it got over it
	}
	if p.program.LoggedOut(p.look.Failed + "\n" + said) {
		p.look.Failed = "it must be logged in first: " + p.program.Login
	}
	return out
}

func words(end supervise.End) string {
	switch {
	case end.Why == supervise.WhyLimit:
		return "the end of its time"
	case end.How == supervise.Signalled:
		return end.Signal
	case end.How == supervise.Exited:
		return "exit code " + strconv.Itoa(end.Exit)
	case end.How == supervise.Unknown:
		return "an unknown exit code: its keeper was killed"
	}
	return string(end.How) + ": " + end.Why
}

// tailOf is the end of a file, fit for a screen.
func tailOf(path string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return ""
	}
	part := make([]byte, min(info.Size(), maxErrors))
	n, _ := file.ReadAt(part, info.Size()-int64(len(part)))
	var b strings.Builder
	for line := range strings.Lines(string(part[:n])) {
		b.WriteString(text.Line(strings.TrimRight(line, "\r\n")) + "\n")
	}
	return b.String()
}
