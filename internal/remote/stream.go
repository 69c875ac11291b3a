package remote

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// How long a stream may be silent before its connection counts as dead, and the
// longest pause before it is resumed.
const (
	silence  = 3 * Beat
	farApart = 15 * time.Second
)

// mostExported is more than a board has, and ends a stream that does not.
const mostExported = 10_000_000

var errEnded = errors.New("the stream ended")

// stream yields the items of one response until it ends or breaks: the last error is
// an *unanswered then.
func (b *Board) stream(ctx context.Context, path string, body any) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		text, err := json.Marshal(body)
		if err != nil {
			yield(Item{}, err)
			return
		}
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		watchdog := time.AfterFunc(silence, func() { cancel(context.DeadlineExceeded) })
		defer watchdog.Stop()
		resp, err := b.request(ctx, call{method: http.MethodPost, path: path, body: text}, nil)
		if err != nil {
			yield(Item{}, err)
			return
		}
		defer resp.Body.Close()
		b.away.back()
		lines := bufio.NewScanner(resp.Body)
		lines.Buffer(nil, maxItem)
		for lines.Scan() {
			var item Item
			if err := json.Unmarshal(lines.Bytes(), &item); err != nil {
				yield(Item{}, b.strange("its stream cannot be read: %v", err))
				return
			}
			if path == PathWatch || item != (Item{}) { // an export has no reason to be silent
				watchdog.Reset(silence)
			}
			if !yield(item, nil) {
				return
			}
		}
		err = lines.Err()
		switch {
		case errors.Is(err, bufio.ErrTooLong):
			yield(Item{}, b.strange("its stream has a line of more than %d bytes", maxItem))
			return
		case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
			err = context.DeadlineExceeded
		case err == nil:
			err = errEnded
		}
		yield(Item{}, &unanswered{why: reason(err), cause: err, sent: true})
	}
}

// Watch yields the board's revision and then each change set. After a break it
// continues after the last set that arrived, for as long as ctx lasts; only the
// first answer has to arrive within the patience.
func (b *Board) Watch(ctx context.Context, who query.Asker, from query.From) iter.Seq2[query.News, error] {
	return func(yield func(query.News, error) bool) {
		begun := false
		deadline := time.Now().Add(b.o.Patience)
		pause := shortest
		for {
			var broke error
			opened := time.Now()
			for item, err := range b.stream(ctx, PathWatch, Watch{who, from}) {
				if err != nil {
					broke = err
					break
				}
				if item.Error != nil {
					broke = bounded(item.Error)
					break
				}
				n := item.News
				switch {
				case n == nil:
					continue // the server is still there
				case n.Gone != nil:
					from.After, from.Now = n.Revision, false
				case n.Set == nil && begun:
					continue // it was told when the watch began
				case n.Set == nil:
					begun = true
					if from.Now {
						from.After, from.Now = n.Revision, false
					}
				case from.After >= 0 && n.Set.Revision <= from.After:
					continue // news only go forwards
				default:
					from.After, n.Revision = n.Set.Revision, n.Set.Revision
					pause = shortest
				}
				if !yield(*n, nil) {
					return
				}
			}
			if err := ctx.Err(); err != nil {
				yield(query.News{}, err)
				return
			}
			u, again := errors.AsType[*unanswered](broke)
			if !again && !errors.Is(broke, pawl.Unavailable) || broke == nil {
				yield(query.News{}, broke)
				return
			}
			if !begun && time.Now().After(deadline) {
				if again {
					broke = b.gone(ctx, call{}, broke, false)
				}
				yield(query.News{}, broke)
				return
			}
			if time.Since(opened) > farApart { // else something there ends each stream at once
				pause = shortest
			}
			wait := pause + time.Duration(rand.Int64N(int64(pause)))
			if again {
				wait = max(wait, u.after)
				if !errors.Is(u, errEnded) && !errors.Is(u, io.EOF) {
					b.away.left()
				}
			}
			pause = min(2*pause, farApart)
			select {
			case <-ctx.Done():
				yield(query.News{}, ctx.Err())
				return
			case <-time.After(wait):
			}
		}
	}
}

// Export yields each task that a query chooses. A stream that breaks is an error: its
// tasks are of one moment, and it could not continue at another.
func (b *Board) Export(ctx context.Context, who query.Asker, q pawl.Query) iter.Seq2[pawl.Task, error] {
	return func(yield func(pawl.Task, error) bool) {
		n := 0
		for item, err := range b.stream(ctx, PathExport, Export{who, q}) {
			if n++; n > mostExported || err == nil && item.Task == nil && item.Error == nil && !item.End && item != (Item{}) {
				err = b.strange("its stream has no end, or is of something else")
			}
			if u, broke := errors.AsType[*unanswered](err); broke {
				err = b.gone(ctx, call{}, u, false)
			}
			switch {
			case err != nil:
				yield(pawl.Task{}, err)
				return
			case item.Error != nil:
				yield(pawl.Task{}, bounded(item.Error))
				return
			case item.End:
				return
			case item.Task != nil:
				if !yield(*item.Task, nil) {
					return
				}
			}
		}
	}
}
