package tables

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
)

// A code that one server made works at another one, once and for a minute, and the
// database does not have it.
func TestCodesOfSeveralServers(t *testing.T) {
	db, dsn := open(t)
	one, other := Codes(db), Codes(connect(t, dsn))
	want := access.Code{Token: "aaaaaaaa", Board: "shop", Until: time.Now().Add(time.Hour).Truncate(time.Millisecond)}
	add := func(c access.Code) string {
		t.Helper()
		text := must.Get(one.Add(t.Context(), time.Now(), c))(t)
		return text
	}
	use := func(text string) (access.Code, bool) {
		t.Helper()
		got, works, err := other.Use(t.Context(), time.Now(), text)
		if err != nil {
			t.Fatal(err)
		}
		return got, works
	}
	sql := func(query string) string { return pgtest.Server(t).SQL(t, dsn, query) }
	text := add(want)
	if strings.Contains(sql("select * from pawl.server"), text) {
		t.Error("the database has the code")
	}
	if got, works := use(text); !works || got.Token != want.Token || got.Board != want.Board || !got.Until.Equal(want.Until) {
		t.Errorf("got %+v, %v", got, works)
	}
	if _, works := use(text); works {
		t.Error("it works a second time")
	}
	if _, works := use("guess"); works {
		t.Error("a guess works")
	}
	late := add(want)
	sql("update pawl.server set value = regexp_replace(value, '^[0-9]+', (extract(epoch from now()) * 1000)::bigint::text) where key like 'code.%'")
	if _, works := use(late); works {
		t.Error("it works after its end")
	}
	for range access.MaxCodes {
		add(want)
	}
	if _, err := other.Add(t.Context(), time.Now(), want); !errors.Is(err, pawl.Unavailable) {
		t.Errorf("codes have no end: %v", err)
	}
	add(access.Code{Token: "bbbbbbbb"})
	sql("update pawl.server set value = regexp_replace(value, '^[0-9]+', '1') where key like 'code.%'")
	add(want)
	if left := sql("select count(*) from pawl.server where key like 'code.%'"); left != "1" {
		t.Errorf("%s codes are kept, most of which have ended", left)
	}
}

// A browser without a token does not learn where the database is.
func TestCodesDoNotNameTheDatabase(t *testing.T) {
	db, _ := open(t)
	away, stop := context.WithCancel(t.Context())
	stop()
	c := Codes(db)
	_, made := c.Add(away, time.Now(), access.Code{})
	_, _, used := c.Use(away, time.Now(), "guess")
	for _, err := range []error{made, used} {
		if !errors.Is(err, pawl.Unavailable) || strings.Contains(err.Error(), db.Shown()) || !strings.HasPrefix(err.Error(), "the database does not answer") {
			t.Errorf("got %v", err)
		}
	}
}
