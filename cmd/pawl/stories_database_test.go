package main

import (
	"context"

	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/face/team"
	"github.com/pawl-dev/pawl/store/postgres"
)

// storyTables are the boards of the stories in a database.
type storyTables struct{ db *postgres.Database }

// A storyTable is one of them.
type storyTable struct {
	storyTables
	name string
}

func newDatabaseBoards(db *postgres.Database) team.Source { return storyTables{db} }

func (s storyTables) Find(ctx context.Context, name string) (team.Place, error) {
	found, err := s.db.Find(ctx, name)
	if err != nil || !found {
		return nil, err
	}
	return storyTable{s, name}, nil
}

func (s storyTables) Make(ctx context.Context, name string) error { return s.db.Make(ctx, name) }
func (s storyTables) Ready(ctx context.Context) error             { return s.db.Live(ctx) }
func (s storyTables) Hidden() []string                            { return []string{s.db.Shown()} }

func (s storyTable) Same(other team.Place) bool { return s == other }

func (s storyTable) Open(func(string)) (ask.Board, error) {
	return boardOf(s.db.Board(s.name), ask.Bounded()), nil
}
