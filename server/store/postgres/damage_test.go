package postgres_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/server/store/postgres"
)

// One document that could not be read failed every read that met it, and with it each
// claim of the next task. It is named, and the others go on.
func TestDamaged(t *testing.T) {
	for name, doc := range map[string]string{
		"cut off":         "left(doc, 30)",
		"of another task": "(select doc from pawl.task where board = SHOP and id = 8)",
		"no such status":  `replace(doc, '"status":"pending"', '"status":"later"')`,
	} {
		for _, first := range []string{"list", "get", "ready", "claim", "claims", "walk"} {
			t.Run(name+", seen by "+first, func(t *testing.T) {
				p := patientBoard(t)
				b := pawl.NewBoard(p.store)
				was := p.sql("select doc from pawl.task where board = SHOP and id = 2")
				counted := p.page(pawl.Query{}).Total
				p.sql("update pawl.task set doc = " + doc + " where board = SHOP and id = 2") // ready, and first
				p.meets(first)

				if is := p.get(2); is.Damage == "" || is.ID != 2 || is.Priority != pawl.High || !slices.Equal(is.Blocks, []pawl.ID{3}) {
					t.Errorf("#2 is %+v", is)
				}
				if page := p.page(pawl.Query{}); page.Total != counted || len(page.Tasks) != counted {
					t.Errorf("%d of %d tasks are listed, not %d", len(page.Tasks), page.Total, counted)
				}
				for _, q := range []pawl.Query{{Damaged: true}, {Damaged: true, Status: []pawl.Status{pawl.Pending}}, {IDs: []pawl.ID{2}}} {
					if page := p.page(q); page.Total != 1 || page.Tasks[0].Damage == "" {
						t.Errorf("%+v: %+v", q, page)
					}
				}
				for _, q := range []pawl.Query{{Ready: true, Priority: new(pawl.High)}, {Blocked: true, IDs: []pawl.ID{2}}, {Damaged: true, Ready: true}} {
					if page := p.page(q); page.Total != 0 || len(page.Tasks) != 0 {
						t.Errorf("%+v: %+v", q, page)
					}
				}
				ready := p.page(pawl.Query{Ready: true, Order: pawl.ByUrgency})
				if n := len(ready.Tasks); ready.Total != n || slices.ContainsFunc(ready.Tasks, func(t pawl.Task) bool { return t.ID == 2 }) {
					t.Errorf("ready are %+v", ready)
				}
				e := p.fails(pawl.ClaimTask{ID: 3})
				if e.Kind != pawl.Blocked || !slices.Equal(e.IDs, []pawl.ID{2}) {
					t.Errorf("what waits for it: %v %v", e, e.IDs)
				}
				for _, op := range []pawl.Op{pawl.ClaimTask{ID: 2}, pawl.Complete{IDs: []pawl.ID{2}}, pawl.AddNote{ID: 2, Text: "x"}} {
					if e := p.fails(op); !strings.Contains(e.Error(), "its document in the database cannot be read") || e.Hint.Step != pawl.HintDiagnose {
						t.Errorf("%T: %v, %+v", op, e, e.Hint)
					}
				}
				if found := p.check(); len(found) != 1 || found[0].Kind != "damaged" || !slices.Equal(found[0].IDs, []pawl.ID{2}) {
					t.Errorf("doctor found %+v", found)
				}
				if is, err := query.Of(t.Context(), query.Local(b), query.Asker{}, query.OverviewQuery{}); err != nil || is.Counts.Damaged != 1 {
					t.Errorf("%+v, %v", is, err)
				}

				p.sql("update pawl.task set doc = '" + strings.ReplaceAll(was, "'", "''") + "' where board = SHOP and id = 2")
				if is := p.get(2); is.Damage != "" || p.page(pawl.Query{Damaged: true}).Total != 0 {
					t.Errorf("afterwards %+v", is)
				}
				if found := p.check(); len(found) != 0 {
					t.Errorf("afterwards doctor finds %+v", found)
				}
				if res, err := b.Do(t.Context(), pawl.Request{By: bob, Op: pawl.ClaimTask{}}); err != nil || res.IDs[0] != 2 {
					t.Errorf("the next one afterwards: %+v, %v", res, err)
				}
			})
		}
	}
}

// meets has a process that knows nothing of the damage read the board in some way. The
// rest of the test goes on in that process.
func (p *patient) meets(how string) {
	p.Helper()
	db, err := pg.Open(p.Context(), p.dsn)
	must.Do(p, err)
	p.Cleanup(func() { db.Close() })
	p.store = postgres.Over(db).Board("shop")
	b := pawl.NewBoard(p.store)
	claim := func(name string) pawl.Request {
		return pawl.Request{By: pawl.Actor{Name: name, Session: name}, Op: pawl.ClaimTask{Lease: pawl.Duration(time.Hour)}}
	}
	switch how {
	case "list":
		p.page(pawl.Query{})
	case "get":
		p.get(2)
	case "ready":
		page := p.page(pawl.Query{Ready: true, Order: pawl.ByUrgency, Limit: 1})
		if len(page.Tasks) != 1 || page.Tasks[0].ID == 2 || page.Total != 1 {
			p.Errorf("ready are %+v", page)
		}
	case "claim":
		if res, err := b.Do(p.Context(), claim("eve")); err != nil || res.IDs[0] != 5 {
			p.Errorf("claimed %+v, %v", res, err)
		}
	case "claims":
		res, err := b.DoAll(p.Context(), claim("eve"), claim("joe"))
		if e := pawl.ErrorAt(err, 1); pawl.ErrorAt(err, 0) != nil || res[0].IDs[0] != 5 || pawl.KindOf(e) != pawl.Busy {
			p.Errorf("claimed %v, %v", res[0].IDs, err)
		}
	case "walk":
		err := b.View(p.Context(), func(r pawl.Reader) error {
			if nodes, err := r.Nodes(2); err != nil || !nodes[0].Damaged {
				p.Errorf("nodes %+v, %v", nodes, err)
			}
			nodes, err := r.Reach(pawl.Dependencies, 3)
			if err == nil && (len(nodes) != 3 || !nodes[1].Damaged) {
				p.Errorf("reached %+v", nodes)
			}
			return err
		})
		if err != nil {
			p.Error(err)
		}
	}
}

func (p *patient) page(q pawl.Query) (page pawl.Page) {
	p.Helper()
	must.Do(p, pawl.NewBoard(p.store).View(p.Context(), func(r pawl.Reader) (err error) {
		page, err = r.Select(q)
		return err
	}))
	return page
}

func (p *patient) get(id pawl.ID) pawl.Task {
	p.Helper()
	var tasks []pawl.Task
	must.Do(p, pawl.NewBoard(p.store).View(p.Context(), func(r pawl.Reader) (err error) {
		tasks, err = r.Get(id)
		return err
	}))
	return tasks[0]
}

func (p *patient) fails(op pawl.Op) *pawl.Error {
	p.Helper()
	_, err := pawl.NewBoard(p.store).Do(p.Context(), pawl.Request{By: bob, Op: op})
	e, ok := err.(*pawl.Error)
	if !ok {
		p.Fatalf("%T: %v", op, err)
	}
	return e
}
