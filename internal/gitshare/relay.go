package gitshare

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/clone"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/share"
)

// An agent's command in a sandbox often has no network, and may not write to git's folder.
// It can write to the board's. So it leaves a claim there to a process outside of the
// sandbox that confirms it: pawl mcp, which holds a lock as long as it does so.
//
//	.tasks/.pawl/relay.lock        held by the process that confirms
//	.tasks/.pawl/relay-1f0c…       one that waits: empty, then what came of it
const (
	relayLock   = "relay.lock"
	relayPrefix = "relay-"
	relayEach   = 200 * time.Millisecond // between two looks for files
	relayOld    = time.Minute            // after this nobody waits for the answer
	relayDone   = "confirmed"
	mostReason  = 1000
)

// relays is the folder of those files as a site.
func (p site) relays() site { return site{clone.Place{Home: filepath.Join(p.Board, ".pawl")}} }

// relayed leaves claims to another process, and waits for it as for the remote; false:
// there is none, and the claims are as they were.
func (s *Sharing) relayed(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, share.Patience)
	defer cancel()
	at := s.relays()
	if ctx.Err() != nil || !filelock.Held(at.File(relayLock)) {
		return false, nil
	}
	name := relayPrefix + newName()
	f, err := os.OpenFile(at.File(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return false, nil
	}
	f.Close()
	defer os.Remove(at.File(name))
	for {
		text, err := readFile(at.File(name), 4*mostReason)
		switch answer := string(text); {
		case err == nil && answer == relayDone:
			return true, nil
		case err == nil && strings.HasPrefix(answer, share.ErrAway.Error()):
			return true, fmt.Errorf("%w%s", share.ErrAway, strings.TrimPrefix(answer, share.ErrAway.Error()))
		case err == nil && answer != "":
			return true, errors.New(answer)
		case !filelock.Held(at.File(relayLock)): // the process has ended
			return false, nil
		}
		if err := share.Sleep(ctx, lockPause); err != nil {
			return true, pawl.Errorf(pawl.Unavailable, "pawl mcp has not confirmed it in time")
		}
	}
}

// Relay confirms the claims that processes without a network leave to this one, until ctx
// ends. One process of a clone does so at a time.
func (s *Sharing) Relay(ctx context.Context) {
	at := s.relays()
	var unlock func()
	defer func() {
		if unlock != nil {
			unlock()
		}
	}()
	for share.Sleep(ctx, relayEach) == nil {
		if !s.Active() {
			continue
		}
		if unlock == nil {
			if unlock = at.try(relayLock); unlock == nil {
				continue
			}
		}
		var asked []string
		files, _ := os.ReadDir(at.Home)
		for _, f := range files {
			info, err := f.Info()
			switch {
			case err != nil || !strings.HasPrefix(f.Name(), relayPrefix):
			case s.o.Now().Sub(info.ModTime()) > relayOld:
				_ = os.Remove(at.File(f.Name())) // it was killed
			case info.Mode().IsRegular() && info.Size() == 0:
				asked = append(asked, f.Name())
			}
		}
		if len(asked) == 0 {
			continue
		}
		report, err := s.confirm(ctx, pawl.Actor{}, nil)
		answer := relayDone
		if err != nil {
			answer = fmt.Sprintf("%.*s", mostReason, err.Error())
		}
		if err != nil && report != nil && report.Reached { // so nobody claims here alone
			answer = "the remote was reached, and then: " + answer
		}
		for _, name := range asked {
			if _, err := os.Lstat(at.File(name)); !errors.Is(err, fs.ErrNotExist) { // else nobody waits
				_ = at.write(name, []byte(answer))
			}
		}
	}
}
