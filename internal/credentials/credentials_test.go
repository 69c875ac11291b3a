package credentials

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

const shop, depot = "https://a.example.org/boards/shop", "https://a.example.org/boards/depot"

func at(t *testing.T, text string) address.Address {
	t.Helper()
	a := must.Get(address.Parse(text))(t)
	return a
}

// user is the environment of somebody with a home.
func user(t *testing.T) map[string]string {
	dir := t.TempDir()
	return map[string]string{"XDG_CONFIG_HOME": filepath.Join(dir, "config"), "XDG_STATE_HOME": filepath.Join(dir, "state")}
}

func getenv(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

func put(t *testing.T, vars map[string]string, c Credential) *Store {
	t.Helper()
	store, err := Of(getenv(vars))
	if err == nil {
		err = store.Put(t.Context(), c)
	}
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func TestStore(t *testing.T) {
	vars := user(t)
	if _, err := Find(getenv(vars), at(t, shop)); !errors.Is(err, pawl.NotFound) {
		t.Errorf("nothing is kept: %v", err)
	}
	store := put(t, vars, Credential{Address: shop, Token: "one", Name: "ada", At: time.Now()})
	put(t, vars, Credential{Address: depot, Token: "two", Name: "ada"})
	put(t, vars, Credential{Address: shop, Token: "three", Name: "ada"})
	if c, err := Find(getenv(vars), at(t, shop)); err != nil || c.Token != "three" {
		t.Errorf("got %+v, %v", c, err)
	}
	if info, err := os.Stat(store.Path()); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info, err)
	}
	gone, err := store.Forget(t.Context(), at(t, shop))
	if err != nil || gone == nil || gone.Token != "three" {
		t.Errorf("forgot %+v, %v", gone, err)
	}
	if gone, err := store.Forget(t.Context(), at(t, shop)); gone != nil || err != nil {
		t.Errorf("forgot %+v, %v again", gone, err)
	}
	if c, err := Find(getenv(vars), at(t, depot)); err != nil || c.Token != "two" {
		t.Errorf("the other one: %+v, %v", c, err)
	}
}

// A file that others can read, or that is broken, is named, and nothing in it is used
// or repeated.
func TestUnsafe(t *testing.T) {
	if runtime.GOOS != "windows" {
		vars := user(t)
		store := put(t, vars, Credential{Address: shop, Token: "secret-word"})
		for _, mode := range []os.FileMode{0o640, 0o604, 0o620} {
			must.Do(t, os.Chmod(store.Path(), mode))
			if c, err := Find(getenv(vars), at(t, shop)); !errors.Is(err, pawl.Invalid) || c.Token != "" || strings.Contains(err.Error(), "secret-word") {
				t.Errorf("with mode %v: %+v, %v", mode, c, err)
			}
			if err := store.Put(t.Context(), Credential{Address: depot, Token: "x"}); err == nil {
				t.Errorf("with mode %v it was written", mode)
			}
		}
	}
	for _, text := range []string{
		`{"credentials": "secret-word"}`, `{"credentials": [{"address": 1, "token": "secret-word"}]}`, `{"credentials": [{"token": "secret-word"`,
		`secret-word`, strings.Repeat("[", 100_000) + "secret-word", "\xff\xfesecret-word", `{"credentials": [` + strings.Repeat(" ", 2<<20),
	} {
		vars := user(t)
		store := put(t, vars, Credential{Address: shop, Token: "secret-word"})
		must.Do(t, os.WriteFile(store.Path(), []byte(text), 0o600))
		if _, err := Find(getenv(vars), at(t, shop)); err == nil || pawl.KindOf(err) == pawl.NotFound || strings.Contains(err.Error(), "secret-word") {
			t.Errorf("%.40q: %v", text, err)
		}
		if err := store.Put(t.Context(), Credential{Address: depot, Token: "x"}); err == nil {
			t.Errorf("%.40q was replaced", text)
		}
	}
}

// A token of the environment counts for the address in the environment only.
func TestEnvironment(t *testing.T) {
	vars := user(t)
	put(t, vars, Credential{Address: shop, Token: "kept", Name: "ada", Cert: "abcd"})
	vars["PAWL_TOKEN"], vars["PAWL_BOARD"] = "given", shop+"/"
	c, err := Find(getenv(vars), at(t, shop))
	if err != nil || c.Token != "given" || !c.Environment || c.Name != "" || c.Cert != "abcd" {
		t.Errorf("got %+v, %v", c, err)
	}
	if _, err := Find(getenv(vars), at(t, depot)); !errors.Is(err, pawl.NotFound) {
		t.Errorf("it was used for another board: %v", err)
	}
	Named(getenv(vars), c, "bot")
	if c, _ := Find(getenv(vars), at(t, shop)); c.Name != "bot" {
		t.Errorf("the name is not remembered: %+v", c)
	}
	vars["PAWL_TOKEN"] = "another"
	if c, _ := Find(getenv(vars), at(t, shop)); c.Name != "" {
		t.Errorf("another token has its name: %+v", c)
	}
	vars["PAWL_TOKEN"] = "kept"
	if c, _ := Find(getenv(vars), at(t, shop)); c.Name != "ada" {
		t.Errorf("the kept token has no name: %+v", c)
	}
	vars["PAWL_BOARD"], vars["PAWL_CERT"] = strings.TrimSuffix(shop, "shop")+"new", "sha256:9f2c"
	if c, _ := Find(getenv(vars), at(t, vars["PAWL_BOARD"])); c.Cert != "9f2c" {
		t.Errorf("the fingerprint of the environment: %+v", c)
	}
	delete(vars, "PAWL_CERT")
	if c, _ := Find(getenv(vars), at(t, vars["PAWL_BOARD"])); c.Cert != "abcd" {
		t.Errorf("the fingerprint that another board of the server has: %+v", c)
	}
	for _, board := range []string{"", "../plan", depot, "http://a.example.org/boards/shop"} {
		vars["PAWL_BOARD"], vars["PAWL_TOKEN"] = board, "given"
		if c, err := Find(getenv(vars), at(t, shop)); err != nil || c.Token != "kept" {
			t.Errorf("with PAWL_BOARD=%s: %+v, %v", board, c, err)
		}
	}
}

// No way of printing a credential shows its token, but for the file's own.
func TestSecret(t *testing.T) {
	c := Credential{Address: shop, Token: "secret-word"}
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		if text := fmt.Sprintf(format, c); strings.Contains(text, "secret") {
			t.Errorf("%s prints %s", format, text)
		}
		if text := fmt.Sprintf(format, &c); strings.Contains(text, "secret") {
			t.Errorf("%s of a pointer prints %s", format, text)
		}
	}
	if text, err := json.Marshal(c); err != nil || !strings.Contains(string(text), "secret-word") {
		t.Errorf("the file would have %s, %v", text, err)
	}
}

// Several processes may write at the same time, and nothing is lost.
func TestConcurrent(t *testing.T) {
	vars := user(t)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			store, err := Of(getenv(vars))
			if err == nil {
				err = store.Put(t.Context(), Credential{Address: fmt.Sprintf("https://a.example.org/boards/b%d", i), Token: "x"})
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	store := must.Get(Of(getenv(vars)))(t)
	if all, err := store.All(); len(all) != 20 || err != nil {
		t.Errorf("%d are kept, %v", len(all), err)
	}
}
