package web

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/wire"
)

// TestEveryKindOfErrorHasAStatus asks routes that fail with each.
func TestEveryKindOfErrorHasAStatus(t *testing.T) {
	s := newSite(t, nil)
	for kind := pawl.Internal; kind <= pawl.Gone; kind++ {
		w := httptest.NewRecorder()
		var log bytes.Buffer
		s.Log = slog.New(slog.NewTextHandler(&log, nil))
		(&visit{Server: s.Server}).fail(w, pawl.Errorf(kind, "it is so"))
		if w.Code < 400 || (w.Code == http.StatusInternalServerError) != (kind == pawl.Internal) {
			t.Errorf("%v: %d", kind, w.Code)
		}
		if told := strings.Contains(log.String(), "it is so"); told != (kind == pawl.Internal) {
			t.Errorf("%v: the log has %q", kind, log.String())
		}
		keeps(t, "Error", w.Body.Bytes())
	}
}

// TestEveryHintIsSaid has each step in words, but for another task, which no person is told
// to take.
func TestEveryHintIsSaid(t *testing.T) {
	for step := pawl.HintSay; step <= pawl.HintDiagnose; step++ {
		if step != pawl.HintNext && hint(&pawl.Error{Hint: pawl.Hint{Step: step, IDs: []pawl.ID{7}, Text: "say so"}}) == "" {
			t.Errorf("step %d has no words", step)
		}
	}
}

func TestFaultOfOursIsAnAnswer(t *testing.T) {
	s := newSite(t, nil)
	var log bytes.Buffer
	s.Log = slog.New(slog.NewTextHandler(&log, nil))
	r := &route{method: "GET", path: "/api/v1/x", kind: "about", gives: aboutJSON{}, answer: func(*visit, http.ResponseWriter, *http.Request) (any, error) {
		panic("no board")
	}}
	w := httptest.NewRecorder()
	s.answering(r).ServeHTTP(w, httptest.NewRequest("GET", "/api/v1/x", nil))
	keeps(t, "Error", w.Body.Bytes())
	_, id, _ := strings.Cut(w.Body.String(), "under ")
	if w.Code != http.StatusInternalServerError || len(id) < 8 || !strings.Contains(log.String(), id[:8]) || !strings.Contains(log.String(), "no board") {
		t.Errorf("%d %s\n%s", w.Code, w.Body, log.String())
	}
	if strings.Contains(w.Body.String(), "no board") {
		t.Error("the answer tells of the inside")
	}
}

func TestSeveralFaultsStandBesideTheSentence(t *testing.T) {
	s := newSite(t, nil)
	two := s.refuses(http.StatusBadRequest, `{"op":"create","tasks":[{"subject":" "},{"subject":"x","priority":"high","labels":[""]}]}`)
	if len(two.Faults) != 2 || two.Faults[0] != (wire.FaultJSON{Path: "ops[0].tasks[0].subject", Problem: "is blank"}) || strings.Contains(two.Message, "subject") {
		t.Errorf("%+v", two)
	}
	one := s.refuses(http.StatusBadRequest, `{"op":"create","tasks":[{"subject":" "}]}`)
	if one.Message != "The subject is blank" || one.Faults[0].Path != "ops[0].tasks[0].subject" {
		t.Errorf("%+v", one)
	}
}
