package file

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
)

// asBefore makes index and log those of a version that did not know checks.
func (d *disk) asBefore() {
	le := binary.LittleEndian
	text := []byte(d.text(indexName))
	for i := range le.Uint64(text[24:]) {
		text[headerSize+i*recordSize+61] = 0
	}
	le.PutUint32(text[36:], checksum(text[headerSize:]))
	le.PutUint32(text[12:], headerSum(text[:headerSize]))
	d.put(indexName, string(text))

	text = []byte(d.text(logName))
	eachFrame(text[logHeader:], func(kind byte, content []byte, end int) {
		if kind == frameTask {
			content[61] = 0
		}
		body := text[logHeader+end-len(content)-1 : logHeader+end]
		le.PutUint32(text[logHeader+end-len(body)-4:], checksum(body))
	})
	d.put(logName, string(text))
}

// A brief task says how it stands with its checks, whichever version wrote the index. Of
// an older one the files are read until somebody writes, or one reader has read many.
func TestOldIndexWithoutChecks(t *testing.T) {
	for _, tasks := range []int{3, 3 * saveFromFiles} {
		t.Run(fmt.Sprint(tasks), func(t *testing.T) {
			var op pawl.Create
			for i := range tasks {
				n := pawl.NewTask{Subject: fmt.Sprint("task ", i)}
				if i%2 == 0 {
					n.Checks = []pawl.Check{{Name: "unit", Run: []string{"unit"}}}
				}
				op.Tasks = append(op.Tasks, n)
			}
			d := board(t, op, pawl.AddNote{ID: 2, Text: "the files are old now"})
			d.now += 5e9
			d.asBefore()
			look := func(when string) {
				t.Helper()
				s := simStore(t, d.process())
				err := s.View(context.Background(), func(r pawl.Reader) error {
					for id := pawl.ID(1); id <= pawl.ID(tasks); id++ {
						got, err := r.Briefs(id)
						if err != nil {
							return err
						}
						if want := []pawl.Checked{pawl.NotChecked, pawl.CheckedOpen}[id%2]; got[0].Checked != want {
							t.Errorf("%s: %v is %q, want %q", when, id, got[0].Checked, want)
						}
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				g, ok, err := s.Glance(context.Background(), pawl.GlanceQuery{Ready: 3})
				if err != nil || ok && (len(g.Ready) != 3 || g.Ready[0].Checked != pawl.CheckedOpen || g.Ready[1].Checked != pawl.NotChecked) {
					t.Errorf("%s: a glance shows %+v, %v", when, g.Ready, err)
				}
			}
			unknown := func() (n int) {
				s := simStore(t, d.process())
				if err := s.load(); err != nil {
					t.Fatal(err)
				}
				s.loaded.table.each(func(r row) bool {
					if r.open().checked == 0 {
						n++
					}
					return true
				})
				return n
			}
			if n := unknown(); n != tasks {
				t.Fatalf("of %d tasks the index does not tell, want all %d", n, tasks)
			}
			look("at first")
			if n := unknown(); tasks > saveFromFiles && n > 0 {
				t.Errorf("of %d tasks the index does not tell after somebody has read all", n)
			}
			s := simStore(t, d.process())
			if _, err := pawl.NewBoard(s).Do(context.Background(), pawl.Request{Op: pawl.AddNote{ID: 2, Text: "x"}}); err != nil {
				t.Fatal(err)
			}
			look("after a write")
			if n := unknown(); n > 0 {
				t.Errorf("of %d tasks the index does not tell after a write", n)
			}
		})
	}
}

// The check names an open task whose checks or criteria cannot be read, with the place in
// its file: nothing but a person completes it.
func TestUnreadableChecks(t *testing.T) {
	asked := pawl.NewTask{Checks: []pawl.Check{{Name: "unit", Run: []string{"unit"}}}, Accept: []string{"It is so"}}
	var op pawl.Create
	for _, subject := range []string{"sound", "checks", "criteria", "completed", "nothing asked"} {
		asked.Subject = subject
		op.Tasks = append(op.Tasks, asked)
	}
	op.Tasks[4].Checks, op.Tasks[4].Accept = nil, nil
	d := board(t, op, pawl.Complete{IDs: []pawl.ID{4}, Unchecked: "a test"})
	d.edit(t, 2, `"run": ["unit"]`, `"run": {"x": "unit"}`)
	d.edit(t, 3, `"It is so"`, `"It is so", 7`)
	d.edit(t, 4, `"run": ["unit"]`, `"run": {"x": "unit"}`)
	problems, err := simStore(t, d.process()).Check(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range problems {
		got = append(got, fmt.Sprintf("%s %v %s", p.Kind, p.IDs, p.File))
		text := strings.Split(d.text(p.File), "\n")
		if p.Line < 1 || p.Line > len(text) || p.Column < 1 || p.Column > len(text[p.Line-1]) || !strings.Contains("{7", text[p.Line-1][p.Column-1:p.Column]) {
			t.Errorf("the place is %d:%d of\n%s", p.Line, p.Column, d.text(p.File))
		}
		if !strings.Contains(p.Mend, fmt.Sprintf("pawl done %d --unchecked", p.IDs[0])) {
			t.Errorf("the next step is %q", p.Mend)
		}
	}
	if want := []string{"unreadable [#2] task_2.json", "unreadable [#3] task_3.json"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}
