package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// do carries out an op beside the model. about is the task whose card explains a
// refusal; zero: none.
func (m *model) do(about pawl.ID, op pawl.Op) tea.Cmd {
	return m.carry(answerMsg{about: about, op: op})
}

// carry carries out the op of an answer, and fills in the rest of the answer.
func (m *model) carry(msg answerMsg) tea.Cmd {
	by, open, ctx, seen, screened := m.By, m.Open, m.ctx, m.filter.query, m.Screened
	m.takeAlong()
	return func() tea.Msg {
		if msg.board, msg.note, msg.err = open(ctx, true); msg.err != nil {
			return msg
		}
		request := pawl.Request{By: by, Op: msg.op}
		if screened != nil {
			if request, msg.err = screened(ctx, msg.board, request); msg.err != nil {
				return msg
			}
			msg.op = request.Op
		}
		msg.tell(ctx, request, seen)
		return msg
	}
}

// answerMsg is the result of an op.
type answerMsg struct {
	board  query.Board
	about  pawl.ID
	op     pawl.Op
	asked  asker // the dialog that asked for it, shown again after a refusal; nil: none
	said   string
	note   string
	made   pawl.ID // the new task, to be selected
	hidden bool    // by the filter
	err    error
	why    string // the error in words; empty: model.refusal words it
}

// longestName limits a subject within a sentence, in characters.
const longestName = show.SaidName

// tell carries out the request and puts what came of it in words. seen is what
// the reader sees.
func (msg *answerMsg) tell(ctx context.Context, request pawl.Request, seen pawl.Query) {
	outcome, err := msg.board.Do(ctx, request, query.WantNames|query.WantAlready)
	if !outcome.Merged.Nothing() && !outcome.Merged.Report.Empty() {
		msg.note = "merged: " + show.Merged(&outcome.Merged.Report, request.By.Name)
	}
	if shared := show.ClaimShared(&outcome, request.By.Name); len(shared) > 0 {
		msg.note = strings.TrimPrefix(msg.note+"; "+strings.Join(shared, "; "), "; ")
	}
	if msg.err = err; err != nil {
		return
	}
	msg.said = show.Outcome(request, &outcome, msg.about, show.Clock{Now: outcome.Head.Now, Zone: time.Local})
	if _, create := request.Op.(pawl.Create); create {
		made := &outcome.Result.Tasks[0]
		msg.made, msg.hidden = made.ID, !seen.Match(made, outcome.Head.Now)
	}
}

func (msg answerMsg) update(m *model) tea.Cmd {
	var opened tea.Cmd
	if msg.board != nil && m.board == nil {
		opened = m.opened(msg.board, "", nil)
	}
	if msg.err != nil {
		why := cmp.Or(msg.why, m.refusal(msg.err))
		m.notice = notice{text: why, bad: true}
		if msg.about != 0 {
			m.refuse(msg.about, why)
		}
		switch next := msg.next(m, why); {
		case next != nil && m.dialog == nil:
			m.dialog = next
		case msg.asked != nil: // another dialog is open by now
			m.keep(msg.asked.unsent())
			m.notice = notice{text: why, bad: true}
		}
		return opened
	}
	if msg.op != nil { // there is a newer change to undo now
		m.skipped = 0
	}
	s := msg.said
	if msg.note != "" {
		s += "; " + text.Line(msg.note)
	}
	if msg.hidden {
		s += "; the filter hides it"
	}
	m.notice = notice{text: s}
	if msg.made != 0 && !msg.hidden {
		m.screens[m.where].show(m, msg.made)
	}
	return tea.Batch(opened, m.rereadNow())
}

// next is the dialog after a refusal: the one that asked, with its text, or a
// question whether to force the op; nil: none.
func (msg *answerMsg) next(m *model, why string) dialog {
	if msg.asked != nil {
		msg.asked.refused(why)
		return msg.asked
	}
	e, ok := errors.AsType[*pawl.Error](msg.err)
	if !ok || e.Holder == nil {
		return nil
	}
	var all pawl.Op
	var id pawl.ID
	does := ""
	switch op := msg.op.(type) {
	case pawl.Release:
		op.Force = true
		all, id, does = op, op.IDs[0], "release"
	case pawl.Delete:
		op.Force = true
		all, id, does = op, op.IDs[0], "delete"
	default:
		return nil
	}
	about, holder := msg.about, text.Line(e.Holder.Name)
	return &confirm{
		title: fmt.Sprintf("%s %s, which %s works on?", text.Sentence(does), m.name(id), holder),
		text:  fmt.Sprintf("This ends the claim of %s without asking. %s learns of it at the next command on the task.", holder, holder),
		yes:   confirming(does + " it anyway"),
		do:    func(m *model) tea.Cmd { return m.do(about, all) },
	}
}
