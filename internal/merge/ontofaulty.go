package merge

// Faulty returns [Onto] with a fault in it, for simulations of its users: they have
// to find each fault. It panics if it knows none of that name.
func Faulty(fault string) func(bases []Board, ours, theirs Board) (Board, Report) {
	bad, ok := map[string]planted{
		"even status":  {evenStatus: true},
		"even numbers": {evenNumbers: true},
		"no note":      {noYieldNote: true},
		"no gone":      {noGone: true},
		"no turn":      {noTurn: true},
		"no mark":      {noHigh: true},
		"sum of notes": {sumNotes: true},
		"any edge":     {anyEdge: true},
		"by number":    {byNumber: true},
		"drop deleted": {dropDeleted: true},
	}[fault]
	if !ok {
		panic("merge: no fault is called " + fault)
	}
	return func(bases []Board, ours, theirs Board) (Board, Report) { return onto(bases, ours, theirs, bad) }
}
