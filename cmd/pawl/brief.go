package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/boards"
	"github.com/pawl-dev/pawl/internal/credentials"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/query"
)

// askAgainVerb is the command that renews an earlier answer, which only Pawl itself
// starts:
//
//	pawl ask-again https://pawl.example.org/boards/shop
const askAgainVerb = "ask-again"

// questionFile has the question that was answered late or not at all, beside the
// answers.
const questionFile = "question"

// renewedEach is how often an answer is renewed, and maxQuestion is more than a
// question has, in bytes.
const (
	renewedEach = 10 * time.Second
	maxQuestion = 64 << 10
)

// brief is a board for one who waits for no network.
type brief struct{ *remote.Board }

// Ask answers a question. After an earlier answer, or none, a process in the
// background asks again, with more patience, for the next time.
func (b brief) Ask(ctx context.Context, who query.Asker, q query.Question) (query.Answer, error) {
	answer, err := b.Board.Ask(ctx, who, q)
	old, aged := answer.(interface{ Aged() time.Time })
	if err != nil || aged && !old.Aged().IsZero() {
		b.askLater(who, q)
	}
	return answer, err
}

func (b brief) askLater(who query.Asker, q query.Question) {
	dir := credentials.State(os.Getenv, b.Address())
	if dir == "" || userdir.Make(dir) != nil {
		return
	}
	path := filepath.Join(dir, questionFile)
	if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()).Abs() < renewedEach {
		return
	}
	question, err := query.EncodeQuestion(q)
	if err != nil {
		return
	}
	text, err := json.Marshal(remote.Ask{Who: who, Question: question})
	if err != nil || len(text) > maxQuestion {
		return
	}
	if filelock.Write(path, text) == nil {
		_ = boards.Background(program(), []string{"PAWL_BOARD", "PAWL_TOKEN"}, askAgainVerb, b.Address().String())
	}
}

// askAgain asks what was to be asked again, if anything was.
func askAgain(ctx context.Context, args []string) error {
	at, err := address.Parse(strings.Join(args, " "))
	if err != nil {
		return err
	}
	path := filepath.Join(credentials.State(os.Getenv, at), questionFile)
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxQuestion {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var a remote.Ask
	if err := json.Unmarshal(text, &a); err != nil {
		return err
	}
	question, err := query.DecodeQuestion(a.Question)
	if err != nil {
		return err
	}
	board, err := openAddress(at, remote.Usual)
	if err != nil {
		return err
	}
	defer board.Close()
	_, err = board.Ask(ctx, a.Who, question) // the client remembers the answer
	return err
}
