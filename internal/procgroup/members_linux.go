package procgroup

import (
	"os"
	"strconv"
	"strings"
)

// Left reports whether something of it runs, when the command itself has ended and was
// waited for.
func (g *Group) Left() bool { return g.cmd.Process != nil && len(members(g.cmd.Process.Pid)) > 0 }

// members are the processes of a session that have not ended.
func members(session int) (pids []int) {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue // it has just ended
		}
		// 4711 (sleep) S 4700 4711 4690 …: state, parent, group, session; the name may have anything in it
		line := string(stat)
		fields := strings.Fields(line[strings.LastIndexByte(line, ')')+1:])
		if len(fields) < 4 || fields[0] == "Z" || fields[0] == "X" || fields[3] != strconv.Itoa(session) {
			continue
		}
		pids = append(pids, pid)
	}
	return pids
}
