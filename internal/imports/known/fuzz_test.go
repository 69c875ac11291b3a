package known_test

import (
	"os"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/imports/importstest"
	"github.com/pawl-dev/pawl/internal/imports/known"
)

// FuzzBoxes gives any text to each format with boxes: no reader panics, and a board
// takes what it reads, twice.
func FuzzBoxes(f *testing.F) {
	raw := must.Get(os.ReadFile("testdata/shapes.md"))(f)
	for _, shape := range strings.Split(string(raw), "\n=== ")[1:] {
		_, text, _ := strings.Cut(shape, "\n")
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, format := range known.Boxes() {
			r, err := importstest.Text(format, text)
			if err != nil {
				if pawl.KindOf(err) == pawl.Internal || strings.Contains(err.Error(), "a fault in Pawl") {
					t.Fatal(format.Name, err)
				}
				continue
			}
			if len(r.Tasks) > 0 && !format.Lasting {
				importstest.Load(t, format, r)
			}
		}
	})
}
