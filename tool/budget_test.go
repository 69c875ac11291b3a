package tool_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/tool"
)

// The promised sizes, in bytes.
const (
	mostPage  = 4_000  // of a page of task_list
	mostClaim = 600    // of a claim, beside the task's own text
	mostSaid  = 20_000 // of anything else, for the model and for a program
)

// nasty fills the board with tasks as large as they may be.
func (s *story) nasty(tasks int) {
	s.T.Helper()
	wide, joined := strings.Repeat("漢", pawl.MaxSubject), strings.Repeat("👩‍👩‍👧", pawl.MaxSubject/5)
	me := pawl.Actor{Name: strings.Repeat("é", pawl.MaxName), Session: "s1"}
	var labels []string
	for i := range pawl.MaxLabels {
		labels = append(labels, fmt.Sprintf("%02d%s", i, strings.Repeat("λ", pawl.MaxLabel-2)))
	}
	text := strings.Repeat("Zeile mit Ümläuten\n", pawl.MaxDescription/21)
	var blockers []pawl.Ref
	var batch []pawl.NewTask
	for id := range tasks {
		var n pawl.NewTask
		switch id % 5 {
		case 0:
			n = pawl.NewTask{Subject: wide, Priority: pawl.High}
		case 1:
			n = pawl.NewTask{Subject: joined, Owner: me.Name}
		case 2:
			n = pawl.NewTask{Subject: wide, BlockedBy: blockers[max(0, len(blockers)-12):]}
		case 3:
			n = pawl.NewTask{Subject: wide + "", Labels: labels}
		default:
			n = pawl.NewTask{Subject: joined}
		}
		if id < 30 && id%3 == 0 {
			for i := range pawl.MaxChecks {
				run := []string{"go", strings.Repeat("漢", pawl.MaxCheckRun/12)}
				n.Checks = append(n.Checks, pawl.Check{Name: fmt.Sprint(i, strings.Repeat("é", pawl.MaxCheckName-2)), Run: run})
			}
			for i := range pawl.MaxCriteria {
				n.Accept = append(n.Accept, fmt.Sprint(i, strings.Repeat("漢", pawl.MaxSubject/5)))
			}
		}
		if id < 20 {
			n.Description = text
			n.Metadata = map[string]json.RawMessage{"k": json.RawMessage(`"` + strings.Repeat("m", pawl.MaxMetadata-10) + `"`)}
		}
		if id%5 != 2 {
			blockers = append(blockers, pawl.RefName(fmt.Sprint(id+1)))
		}
		n.Ref = fmt.Sprint(id + 1)
		if batch = append(batch, n); len(batch) == 250 || id == tasks-1 {
			s.must(me, pawl.Create{Tasks: batch})
			batch, blockers = nil, nil
		}
	}
	for id := 5; id < tasks; id += 50 {
		s.must(me, pawl.PutHold{IDs: []pawl.ID{pawl.ID(id)}, Reason: strings.Repeat("界", pawl.MaxReason)})
	}
	for i := range 30 {
		s.must(me, pawl.AddNote{ID: 1, Text: strings.Repeat(fmt.Sprintf("note %d\n", i), pawl.MaxNote/9)})
	}
}

func (s *story) must(by pawl.Actor, op pawl.Op) {
	s.T.Helper()
	if _, err := s.Board.Do(s.T.Context(), pawl.Request{By: by, Op: op}); err != nil {
		s.T.Fatal(err)
	}
}

// ask calls a tool and returns its answer, which no one may be over.
func (s *story) ask(by tool.Caller, name, args string) tool.Result {
	s.T.Helper()
	for _, one := range s.Tools {
		if one.Name != name {
			continue
		}
		r := one.Call(s.T.Context(), by, json.RawMessage(args))
		data, err := json.Marshal(r.Data)
		must.Do(s.T, err)
		if !utf8.ValidString(r.LLMContent) {
			s.T.Errorf("%s %.80s says broken text", name, args)
		}
		if len(r.LLMContent) > mostSaid || len(data) > mostSaid {
			s.T.Errorf("%s %.80s says %d bytes to a model and %d to a program", name, args, len(r.LLMContent), len(data))
		}
		return r
	}
	s.T.Fatalf("unknown tool %q", name)
	return tool.Result{}
}

func TestBudgets(t *testing.T) {
	s := newStory(t)
	s.nasty(1_000)
	long := tool.Caller{Actor: pawl.Actor{Name: strings.Repeat("é", pawl.MaxName), Session: strings.Repeat("s", pawl.MaxName)}}
	filters := strings.Repeat("x", 5_000)

	for _, args := range []string{
		`{}`, `{"status":"all"}`, `{"status":"blocked"}`, `{"status":"ready"}`, `{"status":"held"}`, `{"owner":"me"}`,
		`{"text":"` + filters + `"}`, `{"label":["` + filters + `"]}`, `{"owner":"` + filters + `"}`, `{"text":"漢漢漢"}`,
	} {
		seen, pages := 0, 0
		for cursor := ""; ; pages++ {
			with := args
			if cursor != "" {
				with = strings.TrimSuffix(args, "}") + `,"cursor":"` + cursor + `"}`
				with = strings.Replace(with, "{,", "{", 1)
			}
			r := s.ask(long, "task_list", with)
			if r.Err != nil {
				t.Fatal(r.LLMContent)
			}
			if len(r.LLMContent) > mostPage {
				t.Fatalf("a page for %.40s has %d bytes:\n%s", args, len(r.LLMContent), r.LLMContent)
			}
			page := read[struct {
				Tasks  []struct{ ID pawl.ID }
				Total  int
				Cursor string
			}](t, r)
			if seen += len(page.Tasks); pages == 1 || page.Cursor == "" {
				if page.Cursor == "" && pages < 1 && seen != page.Total && args != `{}` {
					t.Errorf("%.40s: pages showed %d of %d", args, seen, page.Total)
				}
				break
			}
			cursor = page.Cursor
		}
	}
	s.ask(long, "task_list", `{"limit":1000}`)

	for range 8 {
		r := s.ask(long, "task_claim", `{"priority":"medium"}`)
		if r.Err != nil {
			t.Fatal(r.LLMContent)
		}
		task := read[struct{ Tasks []struct{ ID pawl.ID } }](t, r).Tasks[0]
		whole, err := s.Board.Get(t.Context(), task.ID)
		must.Do(t, err)
		text := r.LLMContent
		if _, rest, ok := strings.Cut(text, "\nLabels: "); ok {
			_, text, _ = strings.Cut(rest, "\nWhen it is done")
			text = r.LLMContent[:strings.Index(r.LLMContent, "\nLabels: ")] + text
		}
		if _, rest, ok := strings.Cut(text, "\nDescription:"); ok {
			_, tail, _ := strings.Cut(rest, "\nWhen it is done")
			text = text[:strings.Index(text, "\nDescription:")] + tail
		}
		if beside := len(text) - len(whole[0].Subject); beside > mostClaim {
			t.Errorf("a claim says %d bytes beside the task's text:\n%s", beside, text)
		}
	}

	s.ask(long, "task_get", `{"taskId":1}`)
	if r := s.ask(long, "task_get", `{"taskId":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]}`); r.Err != nil {
		t.Error(r.LLMContent)
	}
	s.ask(long, "task_claim", `{"label":"nothing has it"}`)
	var ids []string
	for id := range 100 {
		ids = append(ids, fmt.Sprint(id+1))
	}
	all := strings.Join(ids, ",")
	s.ask(long, "task_update", `{"taskId":[`+all+`],"note":"x"}`)
	s.ask(long, "task_update", `{"taskId":[`+all+`],"status":"completed"}`)
	s.ask(long, "task_update", `{"taskId":[`+all+`],"`+filters+`":1}`)
	var tasks []string
	for i := range pawl.MaxBatch {
		tasks = append(tasks, fmt.Sprintf(`{"ref":"r%d","subject":"%s"}`, i, strings.Repeat("漢", pawl.MaxSubject)))
	}
	batch := "[" + strings.Join(tasks, ",") + "]"
	if r := s.ask(long, "task_create", `{"tasks":`+batch+`}`); r.Err != nil {
		t.Error(r.LLMContent)
	}
	s.ask(long, "task_create", `{"tasks":`+strings.ReplaceAll(batch, "subject", "sbject")+`}`)
}

// What programs get of twenty tasks that a plan makes is what they could not
// know: it was 5.8 kB, most of it what the call had said.
func TestCreatedIsSmall(t *testing.T) {
	s := newStory(t)
	var tasks []string
	for i := range 20 {
		waits := ""
		if i > 0 {
			waits = fmt.Sprintf(`,"blockedBy":["r%d"]`, i-1)
		}
		tasks = append(tasks, fmt.Sprintf(`{"ref":"r%d","subject":"Write the part number %d of the emitter"%s}`, i, i, waits))
	}
	ada := tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}}
	r := s.ask(ada, "task_create", `{"tasks":[`+strings.Join(tasks, ",")+`]}`)
	data, err := json.Marshal(r.Data)
	if err != nil || r.Err != nil {
		t.Fatal(err, r.LLMContent)
	}
	if len(data) > 2_500 {
		t.Errorf("%d bytes: %s", len(data), data)
	}
	got := read[struct {
		IDs   []pawl.ID
		Tasks []struct {
			ID        pawl.ID
			Ready     bool
			BlockedBy []pawl.ID
		}
		Refs map[string]pawl.ID
	}](t, r)
	if len(got.IDs) != 20 || len(got.Tasks) != 20 || !got.Tasks[0].Ready || got.Tasks[19].Ready || len(got.Tasks[19].BlockedBy) != 1 || got.Tasks[19].BlockedBy[0] != got.Refs["r18"] {
		t.Errorf("%s", data)
	}
}

// read takes from a result what a program gets.
func read[T any](t *testing.T, r tool.Result) (out T) {
	t.Helper()
	text, err := json.Marshal(r.Data)
	must.Do(t, err)
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return out
}

// A long text is read a part at a time, and nothing of it is lost.
func TestLongTexts(t *testing.T) {
	s := newStory(t)
	var text strings.Builder
	for i := range 3_000 {
		fmt.Fprintf(&text, "Zeile %d mit Ümläuten\n", i)
	}
	ada := tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}}
	s.must(ada.Actor, pawl.Create{Tasks: []pawl.NewTask{{Subject: "long", Description: text.String()[:pawl.MaxDescription-1]}}})
	next, parts := 0, 0
	var whole strings.Builder
	for {
		r := s.ask(ada, "task_get", fmt.Sprintf(`{"taskId":1,"offset":%d}`, next))
		if r.Err != nil {
			t.Fatal(r.LLMContent)
		}
		whole.WriteString(r.LLMContent + "\n")
		parts++
		page := read[struct{ Next int }](t, r)
		if page.Next == 0 {
			break
		}
		if !strings.Contains(r.LLMContent, fmt.Sprintf(`task_get {"taskId":1,"offset":%d}`, page.Next)) {
			t.Fatalf("the part does not say how to go on:\n%s", r.LLMContent[len(r.LLMContent)-200:])
		}
		next = page.Next
	}
	if parts < 4 {
		t.Errorf("%d parts", parts)
	}
	for i := range 2_500 {
		if line := fmt.Sprintf("Zeile %d mit Ümläuten\n", i); !strings.Contains(whole.String(), line) {
			t.Fatalf("%q is lost", line)
		}
	}
}

// errOf is the error of a call of which nothing else matters.
func errOf[T any](_ T, err error) error { return err }
