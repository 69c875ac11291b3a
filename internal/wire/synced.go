package wire

import (
	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/show"
)

// Synced is what a sync of a shared board did. Numbers are those of the board
// afterwards.
type Synced struct {
	Said      string        `json:"said"`                // all of it in a line
	Arrived   []merge.Named `json:"arrived"`             // new here
	Changed   []merge.Named `json:"changed"`             // other than before
	Deleted   []merge.Named `json:"deleted"`             // deleted by other clones, with the number they had
	Sent      []merge.Named `json:"sent"`                // tasks that the remote has in another form now
	Confirmed []pawl.ID     `json:"confirmed,omitempty"` // claims of this clone that the remote did not have before
	Lost      []Lost        `json:"lost,omitempty"`      // claims and completions of this clone that another one was faster with
	Restored  []merge.Named `json:"restored,omitempty"`  // tasks whose files were missing, and were not deleted by Pawl
	Merge     *Merged       `json:"merge,omitempty"`     // numbers that moved, edges that were cut and values that yielded, if there are some
	Tries     int           `json:"tries,omitempty"`     // number of pushes that other clones were faster than
	Revision  int64         `json:"revision,omitempty"`  // the change that the sync made; absent: the board did not have to change
}

// Lost is a claim or a completion of this clone that did not stand.
type Lost struct {
	ID      pawl.ID     `json:"id"`              // its number
	Subject string      `json:"subject"`         // one line
	Was     pawl.Status `json:"was"`             // what this clone said: in_progress, completed or pending
	Owner   string      `json:"owner,omitempty"` // who said so
	Now     pawl.Status `json:"now"`             // what stands
	By      string      `json:"by,omitempty"`    // who has it, or completed it
	Clone   string      `json:"clone,omitempty"` // where
	Said    string      `json:"said"`            // all of it in a sentence
}

// NewSynced is what a sync did, told to one called name.
func NewSynced(r *share.Report, name string) Synced {
	s := Synced{
		Said: show.Synced(r, name), Arrived: some(r.Arrived), Changed: some(r.Changed), Deleted: some(r.Deleted),
		Sent: some(r.Sent), Confirmed: r.Confirmed, Tries: r.Tries, Revision: int64(r.Revision), Restored: r.Restored,
	}
	clones := show.ClonesOf(r)
	for i := range r.Lost {
		y := &r.Lost[i]
		l := Lost{ID: y.ID, Subject: y.Subject, Was: y.Was, Owner: y.Owner, Now: y.Now, By: y.By, Said: show.Lost(y, name, clones...)}
		if y.Winner != nil {
			l.Clone = y.Winner.Clone
		}
		s.Lost = append(s.Lost, l)
	}
	rest := r.Merge
	rest.Arrived, rest.Changed, rest.Deleted, rest.Yielded = nil, nil, nil, nil // told above
	if !rest.Empty() {
		m := NewMerged(&merge.Outcome{Report: rest}, name)
		m.Said = show.Synced(&share.Report{Merge: rest}, name)
		s.Merge = &m
	}
	return s
}
