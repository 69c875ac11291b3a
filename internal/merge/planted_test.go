package merge

import "testing"

// The property tests find each fault that is put into the algorithm: a check that
// finds none checks nothing.
func TestPlantedFaults(t *testing.T) {
	for name, fault := range map[string]struct {
		planted
		at uint64 // a history that shows it: the first to try
	}{
		"a number is an identity":                   {planted: planted{byNumber: true}},
		"the last writer of a file wins":            {planted: planted{lastWriter: true}},
		"what one side deleted is gone":             {planted: planted{dropDeleted: true}},
		"no high-water mark":                        {planted: planted{noMark: true}},
		"notes are added up":                        {planted: planted{sumNotes: true}},
		"no cycle is looked for":                    {planted: planted{anyEdge: true}, at: 162},
		"the optional check stands":                 {planted: planted{weakCheck: true}},
		"the earlier run stands":                    {planted: planted{oldEvidence: true}, at: 326},
		"texts keep the numbers of tasks that move": {planted: planted{keepOldWords: true}},
	} {
		t.Run(name, func(t *testing.T) {
			var n tally
			for seed := fault.at; seed < fault.at+400; seed++ {
				if err := pairOf(seed, fault.planted, &n); err != nil {
					t.Logf("history %d: %.120v", seed, err)
					return
				}
			}
			t.Error("nothing was found in 400 histories")
		})
	}
}
