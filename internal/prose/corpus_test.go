package prose

import (
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// A labelled is a prompt of the corpus: see testdata/prompts/README.md.
type labelled struct {
	id, lang, kind, band string
	complex              bool
	text                 string
}

// The bands of length, in characters. Each has a file of its name.
var bands = []struct {
	name string
	to   int
}{{"short", 80}, {"middle", 200}, {"long", 600}, {"verylong", MaxPrompt}}

func bandOf(text string) string {
	n := utf8.RuneCountInString(text)
	for _, b := range bands {
		if n <= b.to {
			return b.name
		}
	}
	return ""
}

// heldOut says that a prompt is for measuring only.
func heldOut(id string) bool {
	h := fnv.New32a()
	h.Write([]byte(id))
	return h.Sum32()%3 == 0
}

// halfOut is heldOut for the prompts of the second author; half of them are for
// measuring only.
func halfOut(id string) bool {
	h := fnv.New32a()
	h.Write([]byte(id))
	return h.Sum32()&(1<<7) == 0
}

// corpus reads the first author's labelled prompts but the later ones.
func corpus(t testing.TB) []labelled {
	t.Helper()
	var all []labelled
	seen := map[string]bool{}
	for _, b := range bands {
		for _, p := range readPrompts(t, b.name) {
			if p.band != b.name {
				t.Errorf("%s.txtar: %s has %d characters and belongs to %s", b.name, p.id, utf8.RuneCountInString(p.text), p.band)
			}
			if seen[p.id] {
				t.Errorf("%s.txtar: %s is there twice", b.name, p.id)
			}
			seen[p.id] = true
			all = append(all, p)
		}
	}
	return all
}

// readPrompts reads a file of the corpus.
func readPrompts(t testing.TB, file string) []labelled {
	t.Helper()
	name := filepath.Join("testdata", "prompts", file+".txtar")
	data := must.Get(os.ReadFile(name))(t)
	var all []labelled
	seen := map[string]bool{}
	for _, f := range txtar.Parse(data).Files {
		head := strings.Fields(f.Name)
		if len(head) != 4 || head[0] != "yes" && head[0] != "no" {
			t.Fatalf("%s: %q is not “label language kind id”", name, f.Name)
		}
		if seen[head[3]] {
			t.Errorf("%s: %s is there twice", name, head[3])
		}
		seen[head[3]] = true
		text := strings.TrimSuffix(string(f.Data), "\n")
		all = append(all, labelled{complex: head[0] == "yes", lang: head[1], kind: head[2], id: head[3], text: text, band: bandOf(text)})
	}
	if len(all) == 0 {
		t.Fatalf("%s holds no prompts", name)
	}
	return all
}

// The second author's prompts are half and half, in both ways.
func TestSecondCorpus(t *testing.T) {
	var yes, away, foreign int
	all := readPrompts(t, "second")
	for _, p := range all {
		if p.complex {
			yes++
		}
		if halfOut(p.id) {
			away++
		}
		if p.lang != "en" {
			foreign++
		}
	}
	if len(all) != 200 || yes != 100 || away != 100 || foreign < 30 {
		t.Errorf("%d prompts, %d yes, %d put away, %d not English; want 200, 100, 100 and 30 at least", len(all), yes, away, foreign)
	}
}

// What the corpus must hold for its figures to mean something.
func TestCorpus(t *testing.T) {
	all := corpus(t)
	type share struct{ yes, no int }
	part, band, lang := map[bool]*share{}, map[string]*share{}, map[string]*share{}
	count := func(s *share, p labelled) *share {
		if s == nil {
			s = &share{}
		}
		if p.complex {
			s.yes++
		} else {
			s.no++
		}
		return s
	}
	for _, p := range all {
		part[heldOut(p.id)] = count(part[heldOut(p.id)], p)
		band[p.band] = count(band[p.band], p)
		lang[p.lang] = count(lang[p.lang], p)
	}
	if len(all) < 300 {
		t.Errorf("%d prompts, want 300 at least", len(all))
	}
	if n := part[true].yes + part[true].no; n < len(all)/4 || n > len(all)*5/12 {
		t.Errorf("%d of %d prompts are put away, want about a third", n, len(all))
	}
	for held, s := range part {
		if s.yes*5 < s.no*3 || s.no*5 < s.yes*3 {
			t.Errorf("held out %v: %d yes and %d no are out of balance", held, s.yes, s.no)
		}
	}
	for _, b := range bands {
		if s := band[b.name]; s == nil || s.yes < 20 || s.no < 20 {
			t.Errorf("band %s: %+v, want 20 of each label", b.name, s)
		}
	}
	for _, l := range []string{"en", "zh", "ja", "de", "fr", "es"} {
		if s := lang[l]; s == nil || s.yes < 5 || s.no < 5 {
			t.Errorf("language %s: %+v, want 5 of each label", l, s)
		}
	}
	t.Logf("%d prompts; put away: %+v, the others: %+v", len(all), *part[true], *part[false])
}
