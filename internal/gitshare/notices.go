package gitshare

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/pawl-dev/pawl/internal/rewrite"
	"github.com/pawl-dev/pawl/internal/share"
)

// Notices for sessions have a file of their own, because hooks take them out while a
// sync is under way. The file exists only while there are any.
const (
	noticesName = "notices"
	maxNotices  = 1 << 20
	maxTold     = 200 // of those that were heard, so that they are not told again
)

type notices struct {
	Wait []share.Notice `json:"wait,omitempty"`
	Told []string       `json:"told,omitempty"`
}

func noticeKey(n share.Notice) string {
	return strconv.FormatInt(n.At.UnixMilli(), 36) + " " + n.Session + " " + n.Lost.ID.String()
}

// publish puts the notices of a sync where sessions find them.
func (p site) publish(all []share.Notice) error {
	if len(all) == 0 {
		return nil
	}
	return p.changeNotices(func(n *notices) {
		n.Wait = slices.DeleteFunc(slices.Clone(all), func(one share.Notice) bool { return slices.Contains(n.Told, noticeKey(one)) })
	})
}

// Notices returns what a session has to hear about claims that it lost, once. It runs no git.
func Notices(board, session string) []share.Notice {
	if session == "" {
		return nil
	}
	p := siteOf(board)
	text, err := readFile(p.File(noticesName), maxNotices)
	var n notices
	if err != nil || json.Unmarshal(text, &n) != nil || !slices.ContainsFunc(n.Wait, func(one share.Notice) bool { return one.Session == session }) {
		return nil
	}
	var told []share.Notice
	err = p.changeNotices(func(n *notices) {
		told = nil
		n.Wait = slices.DeleteFunc(n.Wait, func(one share.Notice) bool {
			if one.Session != session {
				return false
			}
			told, n.Told = append(told, one), append(n.Told, noticeKey(one))
			return true
		})
	})
	if err != nil {
		return nil // the next hook tells it
	}
	return told
}

func (p site) changeNotices(fn func(*notices)) error {
	if err := p.plain(); err != nil {
		return err
	}
	file := rewrite.File{Dir: p.Home, Name: noticesName, Lock: noticesName + ".lock", Temp: "." + noticesName, Mode: 0o600, Limit: maxNotices}
	_, err := file.Change(context.Background(), func(old []byte) ([]byte, error) {
		var n notices
		_ = json.Unmarshal(old, &n) // what is damaged is begun again
		fn(&n)
		n.Told = n.Told[max(0, len(n.Told)-maxTold):]
		return json.Marshal(n)
	})
	return err
}
