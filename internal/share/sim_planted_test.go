package share

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/merge"
)

// Each rule, taken away alone, does harm that the simulation finds: a check that finds
// none checks nothing.
func TestPlantedFaults(t *testing.T) {
	for _, fault := range []struct {
		name string
		rare bool   // it takes more histories than there should be in each run of the tests
		at   uint64 // a history that shows it: the first to try
		conf simConf
	}{
		{name: "the further status wins, not the remote's", conf: simConf{onto: merge.Faulty("even status")}},
		{name: "the elder keeps a number, not the remote's", conf: simConf{onto: merge.Faulty("even numbers")}},
		{name: "a completion that yields leaves no note", conf: simConf{onto: merge.Faulty("no note")}},
		{name: "what was ever on the remote is forgotten", at: 29, conf: simConf{onto: merge.Faulty("no gone")}},
		{name: "a status is what the file says, and no turn", rare: true, conf: simConf{onto: merge.Faulty("no turn")}},
		{name: "the remote's mark is not looked at", at: 192, conf: simConf{onto: merge.Faulty("no mark")}},
		{name: "notes are added up", conf: simConf{onto: merge.Faulty("sum of notes")}},
		{name: "no cycle is cut", at: 96, conf: simConf{onto: merge.Faulty("any edge")}},
		{name: "a number is an identity", conf: simConf{onto: merge.Faulty("by number")}},
		{name: "what one side deleted is gone", at: 12, conf: simConf{onto: merge.Faulty("drop deleted")}},
		{name: "what the holder does extends a claim, sent or not", at: 95, conf: simConf{believing: true}},
		{name: "the base is what the remote last had", conf: simConf{planted: planted{lastBase: true}}},
		{name: "the board becomes what was pushed", conf: simConf{planted: planted{overwrite: true}}},
		{name: "the clone's commit moves before the board is written", at: 136, conf: simConf{planted: planted{refFirst: true}}},
		{name: "a sync that was overtaken writes", at: 504, conf: simConf{unlocked: true, planted: planted{noGuard: true}}},
		{name: "only the wall clock counts", at: 99, conf: simConf{planted: planted{wallOnly: true}}},
		{name: "only a clock counts that stops while a machine sleeps", at: 95, conf: simConf{noSleep: true, planted: planted{upOnly: true}}},
		{name: "no margin for clocks that drift", rare: true, conf: simConf{drift: 0.2, planted: planted{noMargin: true}}},
		{name: "leases count from when a claim was first seen", rare: true, conf: simConf{planted: planted{seenByClaim: true}}},
		{name: "leases go on over a restart of the machine", rare: true, conf: simConf{planted: planted{noBoot: true}}},
		{name: "another clone's claim ends when this clone's store says so", rare: true, conf: simConf{planted: planted{early: true}}},
		{name: "a remote that went back is synced with", at: 19, conf: simConf{planted: planted{noStop: true}}},
		{name: "a copied clone keeps its name", at: 21, conf: simConf{planted: planted{keepName: true}}},
		{name: "what a commit says is not read again", at: 19, conf: simConf{planted: planted{noRecall: true}}},
	} {
		const many = 5000
		if fault.rare && *histories < many {
			continue
		}
		t.Run(fault.name, func(t *testing.T) {
			most := max(*histories, 1000)
			for seed := fault.at; seed < fault.at+uint64(most); seed++ {
				w := simulate(seed, fault.conf)
				if len(w.bad) == 0 {
					continue
				}
				ruled := fault.conf
				ruled.planted, ruled.onto, ruled.believing = planted{}, nil, false
				if whole := simulate(seed, ruled); len(whole.bad) > 0 {
					t.Errorf("history %d has %s with the rule, too: %s", seed, w.bad[0], whole.bad[0])
				}
				t.Logf("history %d: %s", seed, w.bad[0])
				return
			}
			t.Errorf("nothing was found in %d histories", most)
		})
	}
}
