package web

import (
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/query"
)

// Cards and details say in which clone a task is worked on, and what only this one knows.
func TestSharedBoardIsTold(t *testing.T) {
	shared := &share.Status{Remote: "origin", Clone: "laptop-00000001", Failed: "origin cannot be reached", Clones: []string{"mac-mini-3f2a9c1d"}, Here: []pawl.ID{4}}
	bob := pawl.Task{ID: 12, Status: pawl.InProgress, Owner: "bob", Claim: pawl.Claim{Token: 1, Clone: "mac-mini-3f2a9c1d"}}
	ada := pawl.Task{ID: 4, Status: pawl.InProgress, Owner: "ada", Claim: pawl.Claim{Token: 2}}
	l := &query.Lanes{Facts: query.Facts{Shared: shared}}
	l.Cards[query.Doing] = []query.Card{{Task: bob, State: query.Working}, {Task: ada, State: query.Working}}
	answer := newLanes(l)
	cards := answer.Lanes[query.Doing].Cards
	if cards[0].On != "mac-mini" || cards[0].Here || cards[1].On != "" || !cards[1].Here {
		t.Errorf("the cards are %+v", cards)
	}
	if answer.Shared == nil || answer.Shared.Failed == "" || answer.Shared.Why != "claimed here only: origin cannot be reached" {
		t.Errorf("the board is shared as %+v", answer.Shared)
	}
	detail := newDetail(&query.Details{Head: query.Head{Shared: shared}, Tasks: []query.Found{{Detail: &query.Detail{Task: ada}}}}, "ada")
	if detail.Here != "claimed here only: origin cannot be reached" || detail.On != "" {
		t.Errorf("the detail is %+v", detail)
	}
	if none := newLanes(&query.Lanes{}); none.Shared != nil {
		t.Error("a board that is not shared is")
	}
}
