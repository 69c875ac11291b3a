package process

// Left reports whether something of it runs, when the command itself has ended and was
// waited for.
func (g *Group) Left() bool { return g.cmd.Process != nil && len(members(g.cmd.Process.Pid)) > 0 }

// members are the processes of a session that have not ended.
func members(session int) (pids []int) {
	for _, p := range All() {
		if p.Session == session && !p.Over() {
			pids = append(pids, p.PID)
		}
	}
	return pids
}
