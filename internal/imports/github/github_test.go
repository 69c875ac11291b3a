package github_test

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/imports/github"
	"github.com/pawl-dev/pawl/internal/imports/importstest"
)

func TestGH(t *testing.T) { importstest.Sample(t, &github.Format, "gh.json") }

func TestREST(t *testing.T) { importstest.Sample(t, &github.Format, "rest.json") }

func TestRefused(t *testing.T) { importstest.Refused(t, &github.Format) }

func FuzzRead(f *testing.F) {
	importstest.Fuzz(f, &github.Format, `[{"number":1,"title":"a","state":"OPEN","body":"Blocked by #2","url":"https://github.com/o/r/issues/1"},{"number":2,"title":"b","state":"CLOSED","labels":[{"name":"P1"}],"url":"https://github.com/o/r/issues/2","parent":{"number":1}}]`)
}
