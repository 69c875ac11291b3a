package merge

import "testing"

// The property tests find each fault that is put into the algorithm: a check that
// finds none checks nothing.
func TestPlantedFaults(t *testing.T) {
	for name, bad := range map[string]planted{
		"a number is an identity":                   {byNumber: true},
		"the last writer of a file wins":            {lastWriter: true},
		"what one side deleted is gone":             {dropDeleted: true},
		"no high-water mark":                        {noMark: true},
		"notes are added up":                        {sumNotes: true},
		"no cycle is looked for":                    {anyEdge: true},
		"the optional check stands":                 {weakCheck: true},
		"the earlier run stands":                    {oldEvidence: true},
		"texts keep the numbers of tasks that move": {keepOldWords: true},
	} {
		t.Run(name, func(t *testing.T) {
			var n tally
			for seed := range uint64(400) {
				if err := pairOf(seed, bad, &n); err != nil {
					t.Logf("history %d: %.120v", seed, err)
					return
				}
			}
			t.Error("nothing was found in 400 histories")
		})
	}
}
