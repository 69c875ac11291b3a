// Package must ends a test whose own work fails. The answers of the code under test are for
// the test to judge.
//
//	must.Do(t, os.Mkdir(dir, 0o755))
//	text := must.Get(os.ReadFile(name))(t)
package must

// A T is a test of package testing, or of one like it.
type T interface {
	Helper()
	Fatal(args ...any)
}

// Do ends the test if there is an error.
func Do(t T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get is a value, for the test that it ends if there is an error.
func Get[V any](value V, err error) func(T) V {
	return func(t T) V {
		t.Helper()
		Do(t, err)
		return value
	}
}
