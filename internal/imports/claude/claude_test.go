package claude_test

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/imports/claude"
	"github.com/pawl-dev/pawl/internal/imports/importstest"
)

func TestSample(t *testing.T) { importstest.Sample(t, &claude.Format, "time-tracker") }

func TestWild(t *testing.T) {
	root := importstest.Files(t,
		"list/10.json", `{"id":"10","subject":"Ten","status":"in_progress","owner":"researcher","blockedBy":["9","2"],"blocks":[]}`,
		"list/2.json", `{"id":2,"subject":"Two\u0007","status":"someday","blocks":["10"],"metadata":{"x":1}}`,
		"list/3.json", `{"id":"3","subject":"own","metadata":{"_internal":true}}`,
		"list/4.json", `{"id":"4","subj`,
		"list/5.json", `[]`,
		"list/.lock", "", "list/.highwatermark", "10",
		"list/sub/1.json", `{"id":"1","subject":"of another list"}`,
	)
	importstest.Golden(t, &claude.Format, root, "list", "wild.txt")
}

func FuzzRead(f *testing.F) {
	importstest.Fuzz(f, &claude.Format, `{"id":"1","subject":"a","activeForm":"b","status":"pending","blocks":["2"],"blockedBy":["1"]}`)
}
