package postgres_test

import (
	"fmt"
	"net/url"
	"slices"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/server/store/postgres"
	"github.com/pawl-dev/pawl/store/memory"
)

// Whatever order and letters the language of a database has, its boards answer as others
// do. In Turkish, i and I are two letters.
func TestCollations(t *testing.T) {
	pgtest.Need(t)
	c := pgtest.Server(t)
	own := c.Database(t)
	texts := []string{"TITLE", "title", "Istanbul", "İstanbul", "ı", "Straße", "STRASSE", "a b", "A-B", "ä", "Z", "10", "9"}
	owners := []string{"Ines", "ines", "İnes", "ıneſ"}
	answers := func(store pawl.Store) (all []string) {
		b := pawl.NewBoard(store)
		op := pawl.Create{}
		for i, text := range texts {
			op.Tasks = append(op.Tasks, pawl.NewTask{Subject: text, Owner: owners[i%len(owners)], Labels: []string{text}})
		}
		must.Do(t, errOf(b.Do(t.Context(), pawl.Request{By: bob, Op: op})))
		var asked []pawl.Query
		for _, text := range texts {
			asked = append(asked, pawl.Query{Text: text}, pawl.Query{Labels: []string{text}})
		}
		for _, owner := range owners {
			asked = append(asked, pawl.Query{Owner: owner}, pawl.Query{Ready: true, For: owner, Order: pawl.ByUrgency})
		}
		for _, q := range asked {
			page, err := b.Select(t.Context(), q)
			must.Do(t, err)
			said := fmt.Sprintf("%+v: %d", q, page.Total)
			for _, one := range page.Tasks {
				said += " " + one.Subject
			}
			all = append(all, said)
		}
		return all
	}
	want := answers(memory.New())
	for name, how := range map[string]string{"turkish": "locale_provider icu icu_locale 'tr-TR' locale 'C'", "swedish": "locale_provider icu icu_locale 'sv-SE' locale 'C'", "plain": "locale_provider libc locale 'C'"} {
		t.Run(name, func(t *testing.T) {
			c.SQL(t, own, "drop database if exists pawl_"+name)
			c.SQL(t, own, "create database pawl_"+name+" encoding 'UTF8' "+how+" template template0")
			t.Cleanup(func() { _ = c.Drop("pawl_" + name) })
			u, err := url.Parse(own)
			must.Do(t, err)
			u.Path = "/pawl_" + name
			if _, _, err := pg.Migrate(t.Context(), u.String()); err != nil {
				t.Fatal(err)
			}
			db, err := pg.Open(t.Context(), u.String())
			must.Do(t, err)
			t.Cleanup(func() { db.Close() })
			boards := postgres.Over(db)
			for _, board := range []string{"shop", "Shop", "a-b", "ab", "z", "ä"} {
				must.Do(t, boards.Make(t.Context(), board))
			}
			if got := answers(boards.Board("shop")); !slices.Equal(got, want) {
				for i := range got {
					if got[i] != want[i] {
						t.Errorf("%s, in memory %s", got[i], want[i])
					}
				}
			}
			if names, err := boards.Boards(t.Context()); err != nil || !slices.IsSorted(names) {
				t.Errorf("boards are %q, %v", names, err)
			}
		})
	}
}
