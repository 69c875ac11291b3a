package todofile

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/todo"
)

// The folders beside the lists. No list can have such a name: theirs end in
// .json.
const (
	workDir  = ".work"
	lostDir  = "lost+found"
	panelDir = "panels"
)

const (
	suffix  = ".json"
	join    = "+" // between session and agent; no escaped name has one
	longest = 130 // of a name without suffix: file systems that encrypt names take 143 bytes
)

// fileName is the name of a list's file. Different keys have different names:
//
//	{s1, }           s1.json
//	{S1, Plan/2}     %531+%50lan%2f2.json
//	{long…, long…}   the beginning of both, ~ and a hash
func fileName(key todo.Key) string {
	name := userdir.Escape(key.Session)
	if key.Agent != "" {
		name += join + userdir.Escape(key.Agent)
	}
	if len(name) > longest {
		sum := fnv.New128a()
		fmt.Fprintf(sum, "%d:%s%s", len(key.Session), key.Session, key.Agent)
		name = name[:longest/2] + join + "~" + hex.EncodeToString(sum.Sum(nil))
	}
	return name + suffix
}

// keyOf returns the key whose list has a name, if that can be told from it.
func keyOf(name string) (key todo.Key, ok bool) {
	stem, ok := strings.CutSuffix(name, suffix)
	if !ok {
		return todo.Key{}, false
	}
	session, agent, _ := strings.Cut(stem, join)
	key = todo.Key{Session: unescape(session), Agent: unescape(agent)}
	return key, key == key.Normal() && fileName(key) == name
}

// hashed reports whether a list's name can be told from its file only.
func hashed(name string) bool {
	return strings.HasSuffix(name, suffix) && strings.Contains(name, "~")
}

// ours reports whether a list can have a name.
func ours(name string) bool {
	_, ok := keyOf(name)
	return ok || hashed(name)
}

// unescape undoes userdir.Escape, where that can be undone.
func unescape(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] == '%' && i+2 < len(name) {
			if c, err := strconv.ParseUint(name[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// workName is the name of what is needed to write a list's file. Lists share
// sixteen of each.
func workName(name, kind string) string {
	sum := fnv.New32a()
	sum.Write([]byte(name))
	return fmt.Sprintf("%s/%x%s", workDir, sum.Sum32()>>28, kind)
}

func panelName(session string) string { return panelDir + "/" + userdir.Escape(session) }
