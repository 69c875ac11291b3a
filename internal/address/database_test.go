package address

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

func env(value string) func(string) string {
	return func(name string) string {
		if name == "PAWL_BOARD" {
			return value
		}
		return ""
	}
}

func TestDatabase(t *testing.T) {
	for _, test := range []struct{ text, shown, dsn string }{
		{"postgres://db/pawl?board=shop", "postgres://db/pawl?board=shop", "postgres://db/pawl"},
		{"PostgreSQL://ada@DB.example.org:5433/pawl?sslmode=verify-full&board=shop", "postgres://db.example.org:5433/pawl?board=shop", "postgres://ada@db.example.org:5433/pawl?sslmode=verify-full"},
		{"postgres://db1,db2:5433/pawl?board=a.b", "postgres://db1,db2:5433/pawl?board=a.b", "postgres://db1:5432,db2:5433/pawl"},
		{"postgres://[::1]:5433,[2001:db8::2]/pawl?board=x", "postgres://[::1]:5433,[2001:db8::2]/pawl?board=x", "postgres:///pawl?host=%3A%3A1%2C2001%3Adb8%3A%3A2&port=5433%2C5432"},
		{"postgres:///pawl?host=/run/postgresql&port=5499&board=x", "postgres:///pawl?board=x", "postgres:///pawl?host=%2Frun%2Fpostgresql&port=5499"},
		{"postgres:///?service=team&board=x", "postgres:///?service=team&board=x", "postgres:///?service=team"},
		{"postgres:///?board=x", "postgres:///?board=x", "postgres:///"},
		{"postgres://a%40b@db/pa%20wl?board=x", "postgres://db/pa%20wl?board=x", "postgres://a%40b@db/pa%20wl"},
		{"postgres://db/pawl?application_name=a+b&board=x", "postgres://db/pawl?board=x", "postgres://db/pawl?application_name=a%2Bb"},
	} {
		a, err := Parse(test.text)
		if err != nil || a.String() != test.shown || a.DSN(env("")) != test.dsn || !a.InDatabase() {
			t.Errorf("%s:\n got %s, %s, %v\nwant %s, %s", test.text, a, a.DSN(env("")), err, test.shown, test.dsn)
		}
		if again, err := Parse(a.Whole()); err != nil || again != a {
			t.Errorf("%s is read as %+v, %v", a.Whole(), again, err)
		}
		if again, err := Parse(a.String()); err != nil || again.String() != a.String() {
			t.Errorf("what people read is not an address: %s is %v, %v", a, again, err)
		}
	}
}

func TestDatabaseRefused(t *testing.T) {
	for _, text := range []string{
		"postgres://", "postgres://db", "postgres://db/pawl", "postgres://db/pawl?board=", "postgres://db/pawl?board=..", "postgres://db/pawl?board=A",
		"postgres://db/pawl/x?board=x", "postgres://db:0/pawl?board=x", "postgres://db:x/pawl?board=x", "postgres://db:99999/pawl?board=x",
		"postgres://,db/pawl?board=x", "postgres://d%62/pawl?board=x", "postgres://db/pawl?board=x#secret", "postgres://db/pa wl?board=x",
		"postgres://db/pawl?board=x&secret=1", "postgres://db/pawl?board=x&options=-csecret", "postgres://db/%zz?board=x", "postgres://db/%00?board=x",
		"postgres://ada:secret@db/pawl?board=x", "postgres://ada@db/pawl?password=secret&board=x", "postgres://ada@db/pawl?sslpassword=secret&board=x",
		"postgres://ada:sec/ret@db/pawl?board=x", "postgres://db/pawl?port=1,2&board=x", "postgres://db/pawl?host=other&board=x", "postgres:///pawl?host=a%20secret&board=x",
	} {
		a, err := Parse(text)
		if err == nil {
			t.Errorf("%q is read as %+v", text, a)
			continue
		}
		if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "ret@") {
			t.Errorf("%q: the error repeats it: %v", text, err)
		}
	}
}

// A password counts only in the environment, and only for the address that is there.
func TestPassword(t *testing.T) {
	text := "postgres://ada:s%2Fecret@db/pawl?sslmode=disable&board=shop"
	a := must.Get(FromEnvironment(text))(t)
	for _, shown := range []string{a.String(), a.Whole(), a.DSN(env(""))} {
		if strings.Contains(shown, "ecret") {
			t.Errorf("it is shown: %s", shown)
		}
	}
	if got, want := a.DSN(env(text)), "postgres://ada@db/pawl?password=s%2Fecret&sslmode=disable"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, other := range []string{"postgres://db2/pawl?board=shop", "postgres://eve@db/pawl?sslmode=disable&board=shop", "postgres://ada@db/pawl?board=shop"} {
		b, err := Parse(other)
		if err != nil || strings.Contains(b.DSN(env(text)), "secret") {
			t.Errorf("%s gets the password of another address, %v", other, err)
		}
	}
	for text, has := range map[string]bool{
		text: true, "postgres://db/pawl?board=shop&password=x": true, "postgres://db/pawl?board=shop": false, "/src/shop": false,
		"https://h/boards/shop": false, "https://ada:x@h/boards/shop": true, "postgres://%zz": true, "https://h/boards/shop?token=x": true,
	} {
		if HasSecret(text) != has {
			t.Errorf("%s: %v", text, !has)
		}
	}
}

func FuzzDatabase(f *testing.F) {
	f.Add("postgres://ada:secret@db1:5432,[::1]/pawl?sslmode=disable&board=shop")
	f.Add("postgresql:///?service=x&board=y")
	f.Fuzz(func(t *testing.T, text string) {
		if !IsDatabase(text) {
			return
		}
		a, err := FromEnvironment(text)
		if err != nil {
			return
		}
		if again, err := Parse(a.Whole()); err != nil || again != a {
			t.Errorf("%q: %q is read as %+v, %v", text, a.Whole(), again, err)
		}
		if _, err := Parse(a.String()); err != nil {
			t.Errorf("%q: %q: %v", text, a, err)
		}
	})
}
