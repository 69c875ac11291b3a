package cli

import "testing"

func TestQuote(t *testing.T) {
	for _, c := range []struct{ system, arg, want string }{
		{"linux", "/src/a-b/.tasks", "/src/a-b/.tasks"},
		{"linux", "", "''"},
		{"linux", "$HOME it's", `'$HOME it'\''s'`},
		{"linux", `a\b`, `'a\b'`},
		{"windows", `C:\src\plan\.tasks`, `C:\src\plan\.tasks`},
		{"windows", `C:\my plans\.tasks`, `"C:\my plans\.tasks"`},
		{"windows", `say "so"`, `"say \"so\""`},
		{"windows", "1,2", `"1,2"`},
	} {
		if got := quoteOn(c.system, c.arg); got != c.want {
			t.Errorf("%s: %s is spelled %s, want %s", c.system, c.arg, got, c.want)
		}
	}
}
