package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// objects is a git that runs, and is asked for one object after the other.
type objects struct {
	cmd      *exec.Cmd
	ctx      context.Context
	cancel   func()
	in       io.WriteCloser
	out      *bufio.Reader
	said     limited
	patience time.Duration
}

// open starts one.
func (t *Tree) open(ctx context.Context) (*objects, error) { return t.start(ctx, "--batch") }

// start starts one that is asked in another way.
func (t *Tree) start(ctx context.Context, how ...string) (*objects, error) {
	o := &objects{said: limited{max: maxSaid}, patience: left(ctx, longPatience)}
	o.ctx, o.cancel = context.WithTimeout(ctx, o.patience)
	o.cmd = t.command(o.ctx, append([]string{"cat-file"}, how...)...)
	o.cmd.Stderr = &o.said
	var err error
	if o.in, err = o.cmd.StdinPipe(); err == nil {
		var out io.ReadCloser
		if out, err = o.cmd.StdoutPipe(); err == nil {
			o.out = bufio.NewReaderSize(out, 256<<10)
			err = o.cmd.Start()
		}
	}
	if err != nil {
		o.cancel()
		return nil, notRun(err)
	}
	return o, nil
}

// close ends it, whatever it is doing.
func (o *objects) close() {
	o.in.Close()
	o.cancel()
	_ = o.cmd.Wait() // it was killed, or has nothing more to say
}

// errLarge is an object above a limit. After it the git process that read it is
// unusable.
var errLarge = errors.New("git has an object that is too large to read")

// read asks for one object. Without an id there is none.
func (o *objects) read(name string, limit int) (object, []byte, error) {
	if _, err := io.WriteString(o.in, name+"\n"); err != nil {
		return object{}, nil, o.failed(err)
	}
	return o.next(limit)
}

// next reads the next answer.
func (o *objects) next(limit int) (object, []byte, error) {
	line, err := o.out.ReadString('\n')
	if err != nil {
		return object{}, nil, o.failed(err)
	}
	found, ok := header(line)
	if !ok {
		return object{}, nil, nil
	}
	if found.size > int64(limit) {
		return found, nil, errLarge
	}
	text := make([]byte, found.size+1) // and the end of line that git adds
	if _, err := io.ReadFull(o.out, text); err != nil {
		return object{}, nil, o.failed(err)
	}
	return found, text[:found.size:found.size], nil
}

// failed says why git stopped to answer.
func (o *objects) failed(err error) error {
	if o.ctx.Err() != nil {
		return late(o.ctx, o.patience)
	}
	o.in.Close()
	o.cancel()
	_ = o.cmd.Wait() // for all that it said
	if said := strings.TrimSpace(o.said.String()); said != "" {
		return &refusal{128, said}
	}
	return fmt.Errorf("git stopped: %w", err)
}

// blobs reads blobs until one is too large, and returns how many it asked for.
func (t *Tree) blobs(ctx context.Context, want []string, limit int, texts map[string][]byte) (int, error) {
	if err := ids(want...); err != nil {
		return 0, err
	}
	o, err := t.open(ctx)
	if err != nil {
		return 0, err
	}
	defer o.close()
	go func() { // git answers while it is asked
		in := bufio.NewWriterSize(o.in, 64<<10)
		for _, id := range want {
			if _, err := in.WriteString(id + "\n"); err != nil {
				return // read says why
			}
		}
		_ = in.Flush()
		_ = o.in.Close()
	}()
	total := 0
	for i, id := range want {
		found, text, err := o.next(limit)
		if errors.Is(err, errLarge) {
			return i + 1, nil
		}
		if err != nil {
			return 0, err
		}
		if found.kind == "blob" {
			texts[id] = text
		}
		if total += len(text); total > maxObjects {
			return 0, fmt.Errorf("git has more than %d MiB in these files", maxObjects>>20)
		}
	}
	return len(want), nil
}
