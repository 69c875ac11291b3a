package pawl

import (
	"context"
	"iter"
)

// A Board is the tasks of one project. It is safe for concurrent use.
type Board struct {
	store Store
}

// NewBoard returns the board that store keeps.
func NewBoard(store Store) *Board { return &Board{store: store} }

// Close closes the store.
func (b *Board) Close() error { return b.store.Close() }

// Do carries out requests, in order and in one commit, and returns one result
// for each. A request that fails changes nothing and does not touch the others.
func (b *Board) Do(ctx context.Context, requests ...Request) []Result { panic("TODO") }

// View runs fn on the board as it is at one moment, every lease that has ended
// already settled.
func (b *Board) View(ctx context.Context, fn func(Reader) error) error { panic("TODO") }

// Get returns tasks in the order asked for, or NotFound.
func (b *Board) Get(ctx context.Context, ids ...ID) ([]Task, error) { panic("TODO") }

// Select returns a page of the tasks that a query chooses.
func (b *Board) Select(ctx context.Context, q Query) (Page, error) { panic("TODO") }

// Resolve returns the id behind what a person wrote: 12, #12, or the name that
// the task has elsewhere ([Task.Ref]).
func (b *Board) Resolve(ctx context.Context, name string) (ID, error) { panic("TODO") }

// Changes returns what happened, in order of revision.
func (b *Board) Changes(ctx context.Context, span Span) iter.Seq2[ChangeSet, error] {
	return b.store.Changes(ctx, span)
}

// Undo reverts the change set with this revision, as a new change. It refuses
// when that would overwrite a later one.
func (b *Board) Undo(ctx context.Context, by Actor, rev Revision) Result { panic("TODO") }

// Check tells what is wrong with the board.
func (b *Board) Check(ctx context.Context) ([]Problem, error) { panic("TODO") }
