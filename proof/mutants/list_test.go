package mutants

import "github.com/pawl-dev/pawl/internal/dev/source"

// A mutant is the sources with one fault.
type mutant struct {
	fault  string
	tests  []test         // each has to find it
	world  []source.Plant // what it takes for the fault to do harm; with the rule it does none
	plants []source.Plant
}

// longWay has Onto read every file, so that it meets the fault.
var longWay = []source.Plant{{"internal/merge/onto.go", "plainly(bases, ours, theirs); ok {", "plainly(bases, ours, theirs); false && ok {"}}

var mutants = []mutant{
	{"a number is an identity", []test{pairs(0), sim(0)}, longWay, []source.Plant{
		{"internal/merge/liftmatch.go", "id := identityOf(it.task)", "id := identity{first: it.id}"},
		{"internal/merge/liftmatch.go", "if plain && !m.strange(", "if true || plain && !m.strange("},
	}},
	{"the last writer of a file wins", []test{pairs(0)}, nil, []source.Plant{{"internal/merge/fields.go", "	var base *fields\n	for _, b := range k.known() {", "	if o.updated.After(t.updated) || o.updated.Equal(t.updated) && string(k.o.text) > string(k.t.text) {\n		return o\n	}\n	if true {\n		return t\n	}\n	var base *fields\n	for _, b := range k.known() {"}}},
	{"what one side deleted is gone, though the other changed it", []test{pairs(30), sim(12)}, longWay, []source.Plant{
		{"internal/merge/boardslive.go", "k.lives = m.worked(k, it, l)", "k.lives = false && m.worked(k, it, l)"},
		{"internal/merge/ontogone.go", "changed = m.worked(k, k.o, m.ours)", "changed = false"},
	}},
	{"new numbers begin after those of the files", []test{pairs(3)}, nil, []source.Plant{
		{"internal/merge/numbers.go", "m.renew(losers, m.high, want)", "free := pawl.ID(0)\n	for id := range want {\n		free = max(free, id)\n	}\n	m.renew(losers, free, want)"},
		{"internal/merge/numbers.go", "	mark := max(m.ours.mark, m.theirs.mark)", "	if true {\n		return 0\n	}\n	mark := max(m.ours.mark, m.theirs.mark)"},
	}},
	{"notes are added up", []test{pairs(32), line(0), sim(0)}, longWay, []source.Plant{{"internal/merge/fieldssets.go", "merged := mergeSet(keys(b.notes), o, t, x.first())", "merged := mergeSet(keys(b.notes), o, t, x.first())\n	if !slices.Equal(o, t) {\n		merged = append(slices.Clone(o), t...)\n	}"}}},
	{"no cycle is looked for", []test{pairs(162), sim(96)}, longWay, []source.Plant{{"internal/merge/edgescut.go", "graph.Cycles(next); len(cycles) > 0 {", "graph.Cycles(next); false && len(cycles) > 0 {"}}},
	{"of two checks the optional one stands", []test{pairs(13)}, nil, []source.Plant{{"internal/merge/fieldschecks.go", "theirs = o.Optional\n", "theirs = !o.Optional\n"}}},
	{"of two runs the earlier one stands", []test{pairs(326)}, nil, []source.Plant{{"internal/merge/fieldschecks.go", "if cmp.Or(t.At.Compare(o.At), strings.Compare(spelled(t), spelled(o))) > 0 {", "if cmp.Or(t.At.Compare(o.At), strings.Compare(spelled(t), spelled(o))) <= 0 {"}}},
	{"texts keep the numbers of tasks that move", []test{pairs(5)}, nil, []source.Plant{{"internal/merge/texts.go", "w.in == nil {\n		return w.text\n	}\n	if m.sided", "w.in == nil || true {\n		return w.text\n	}\n	if m.sided"}}},
	{"the further status stands, not the remote's", []test{line(6), sim(7)}, longWay, []source.Plant{{"internal/merge/fieldsmeet.go", "if x.m.sided {\n		x.workOnto()", "if false {\n		x.workOnto()"}}},
	{"the elder keeps a number, not the remote's", []test{line(0), sim(0)}, longWay, []source.Plant{
		{"internal/merge/numbers.go", "if m.sided {", "if false {"},
		{"internal/merge/texts.go", "if m.sided && ", "if false && "},
	}},
	{"a completion that yields leaves no note", []test{line(6), sim(0)}, longWay, []source.Plant{
		{"internal/merge/edgescut.go", "m.noteReopened(parent.now)", ""},
		{"internal/merge/ontowork.go", "if o.status == pawl.Completed {\n		n := YieldNote(", "if false {\n		n := YieldNote("},
	}},
	{"what the remote once had is forgotten", []test{line(21), sim(29)}, longWay, []source.Plant{
		{"internal/merge/ontogone.go", "	theirs := m.graveyard(m.theirs)\n", "	if true {\n		return\n	}\n	theirs := m.graveyard(m.theirs)\n"},
		{"internal/merge/ontogone.go", "	back := map[string]bool{}", "	if true {\n		return nil\n	}\n	back := map[string]bool{}"},
	}},
	{"a status is what the file says, and no turn", []test{line(15), sim(869)}, longWay, []source.Plant{{"internal/merge/ontowork.go", "three(base, o, t, work.equal)", "three(base, o, t, func(a, b work) bool {\n		a.beside.Turn, b.beside.Turn = 0, 0\n		return a.equal(b)\n	})"}}},
	{"the remote's mark is not looked at", []test{line(251), sim(192)}, longWay, []source.Plant{{"internal/merge/ontonumbers.go", "	mark = m.theirs.mark\n", "	if true {\n		return 0, used\n	}\n	mark = m.theirs.mark\n"}}},

	{"what the holder does extends a claim, sent or not", []test{sim(95)}, nil, []source.Plant{{"internal/share/sim_checks_test.go", "	return !h.Claim.Confirmed.IsZero() && believed(", "	if true {\n		_, confirmed := c.state.Agreed[key(&merge.Held{Clone: c.state.Clone, Token: h.Claim.Token})]\n		return confirmed && c.clock().Wall.Before(h.Claim.Until)\n	}\n	return !h.Claim.Confirmed.IsZero() && believed("}}},
	{"the base is what the remote last had, not git's merge base", []test{sim(8)}, nil, []source.Plant{{"internal/share/join.go", "	case c.from == c.state.Tip && ", "	case c.state.Tip == \"\":\n	case true:\n		bases = []string{c.state.Tip}\n	case c.from == c.state.Tip && "}}},
	{"the board becomes what was pushed, whatever happened meanwhile", []test{sim(1)}, nil, []source.Plant{{"internal/share/write.go", "told = andThen(x.told, told)", "told = andThen(x.told, told)\n		merged = done.board"}}},
	{"the clone's commit moves before the board is written", []test{sim(136)}, nil, []source.Plant{
		{"internal/share/write.go", "	even, removed := false, false", "	if err := c.repo.SetOwn(ctx, c.own, done.commit); err != nil {\n		return err\n	}\n	c.step(\"own first\")\n	even, removed := false, false"},
		{"internal/share/write.go", "if done.commit != c.own {", "if false {"},
		noGuard,
	}},
	{"a sync that was overtaken writes", []test{sim(504)}, []source.Plant{
		{"internal/share/sim_world_test.go", "unlocked = false", "unlocked = true"},
	}, []source.Plant{noGuard}},
	{"only the wall clock counts", []test{sim(99)}, nil, []source.Plant{
		{"internal/share/state.go", "return min(wall, up) > ", "return wall+0*up > "},
		{"internal/share/sim_checks_test.go", "r.At.Boot == now.Boot && max(wall, up) < r.Lease", "wall+0*up < r.Lease"},
	}},
	{"only a clock counts that stops while a machine sleeps", []test{sim(95)}, []source.Plant{
		{"internal/share/sim_world_test.go", "Up: t - c.booted,", "Up: t - c.booted - c.slept,"},
	}, []source.Plant{
		{"internal/share/state.go", "return min(wall, up) > ", "return up+0*wall > "},
		{"internal/share/sim_checks_test.go", "r.At.Boot == now.Boot && max(wall, up) < r.Lease", "up+0*wall < r.Lease"},
	}},
	{"no margin for clocks that drift", []test{sim(933)}, []source.Plant{
		{"internal/share/sim_world_test.go", "simDrift = 1e-3", "simDrift = 12e-3"},  // as much as the margin is for
		{"internal/share/sim_test.go", "{1, 1, 2, 5, 20, 60}", "{1, 1, 1, 1, 1, 1}"}, // many turns within the margin
		{"internal/share/sim_test.go", "{300, 600, 890, 950}", "{300, 600, 890, 895}"},
		{"internal/share/write.go", "since.Wall.Add(lease + margin(lease))", "since.Wall.Add(lease)"}, // no store waits for it either
	}, []source.Plant{
		{"internal/share/state.go", "> time.Duration(h.Lease)+margin(time.Duration(h.Lease))", "> time.Duration(h.Lease)"},
	}},
	{"a lease counts from when its claim was first seen, not its last renewal", []test{sim(202)}, nil, []source.Plant{
		{"internal/share/state.go", "!ok || last.N != h.Renewal ||", "!ok ||"},
		{"internal/share/state.go", "!ok || first.N != h.Renewal ||", "!ok ||"},
	}},
	{"leases go on over a restart of the machine", []test{sim(211)}, nil, []source.Plant{
		{"internal/share/fetch.go", "c.state.restarted(now)", ""},
		{"internal/share/state.go", "last.N != h.Renewal || last.At.Boot != now.Boot {", "last.N != h.Renewal {"},
		{"internal/share/state.go", "first.N != h.Renewal || first.At.Boot != now.Boot {", "first.N != h.Renewal {"},
		{"internal/share/sim_checks_test.go", "r.At.Boot == now.Boot && max(wall, up)", "max(wall, up)"},
	}},
	{"another clone's claim ends when this clone's store says so", []test{sim(15)}, nil, []source.Plant{{"internal/share/side.go", " || !known || turns.N == 0 || turns.Doubtful || x.state.Undue[key(h)]", ""}}},
	{"a remote that went back is synced with", []test{sim(19)}, nil, []source.Plant{
		{"internal/share/fetch.go", "if tip == last {", "if true {"},
		{"internal/share/sharer.go", "if !c.state.Stopped.rechecked() && !c.o.Resume {", "if false {"},
	}},
	{"a copied clone keeps its name", []test{sim(21)}, nil, []source.Plant{
		{"internal/share/fetch.go", "		c.state.Renamed(c.rename())\n", "		if true {\n			continue\n		}\n		c.state.Renamed(c.rename())\n"},
		{"internal/share/sim_sync_test.go", "d.state.Renamed(fmt.Sprint(\"clone\", d.i))", ""},
	}},
	{"what a commit says of a merge is not read again", []test{sim(19)}, nil, []source.Plant{{"internal/share/fetch.go", "c.recall(said)", ""}}},
}

var noGuard = source.Plant{"internal/share/write.go", "	own, err := c.repo.Own(ctx)\n", "	if true {\n		return nil\n	}\n	own, err := c.repo.Own(ctx)\n"}
