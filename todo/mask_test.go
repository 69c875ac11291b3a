package todo_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/todo"
)

// Made-up secrets, put together here so that nobody's scanner takes them for
// real ones.
var (
	letters = strings.Repeat("aB3xY9", 8)
	pem     = "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n" + letters + "\n-----END RSA " + "PRIVATE KEY-----"
)

var masks = []struct{ name, in, want string }{
	{"a path, counts, and yes or no", `{"file_path":"/src/token.go","offset":10,"limit":20,"replace_all":true,"x":null}`, `{"file_path":"/src/token.go","offset":10,"limit":20,"replace_all":true,"x":null}`},
	{"a pattern", `{"pattern":"func .*Token","glob":"*.go","-n":true,"-A":3,"output_mode":"content"}`, `{"pattern":"func .*Token","glob":"*.go","-n":true,"-A":3,"output_mode":"…"}`},
	{"texts, and what is in them", `{"content":"hunter2","todos":[{"content":"A"}],"headers":{"path":"hunter2"},"pin":1234}`, `{"content":"…","todos":"…","headers":"…","pin":"…"}`},
	{"a program", `{"command":"mysql -uroot -phunter2"}`, `{"command":"mysql …"}`},
	{"a program alone", `{"command":"ls"}`, `{"command":"ls"}`},
	{"a subcommand", `{"command":"git commit -m 'hunter2'","cmd":"go test"}`, `{"command":"git commit …","cmd":"go test"}`},
	{"no subcommand", `{"command":"git -c x=hunter2 push","cmd":"make PIN=hunter2"}`, `{"command":"git …","cmd":"make …"}`},
	{"an address after a program is left out", `{"command":"npx https://host/hunter2","cmd":"docker ada:hunter2@host"}`, `{"command":"npx …","cmd":"docker …"}`},
	{"the next line is left out", `{"command":"make\nhunter2"}`, `{"command":"make …"}`},
	{"an operand is left out", `{"command":"cargo","cmd":"echo hunter2 | sudo -S ls"}`, `{"command":"cargo","cmd":"echo …"}`},
	{"a program of another one", `{"command":"sudo apt-get install hunter2","cmd":"time sudo -u ada ls"}`, `{"command":"apt-get install …","cmd":"sudo …"}`},
	{"a comment", `{"command":"# Log in with hunter2\n\nmysql -phunter2"}`, `{"command":"mysql …"}`},
	{"a comment alone", `{"command":"# hunter2"}`, `{"command":"…"}`},
	{"variables", `{"command":"PGPASSWORD=hunter2 A=\"b\" C='$d' psql -h db"}`, `{"command":"psql …"}`},
	{"variables alone", `{"command":"PGPASSWORD=hunter2"}`, `{"command":"…"}`},
	{"a variable of several words", `{"command":"PGPASSWORD=\"my hunter2 x\" psql"}`, `{"command":"…"}`},
	{"and with a quote in a quote", `{"command":"PGPASSWORD=\"my'b\"'c hunter2 d' psql"}`, `{"command":"…"}`},
	{"and in other quotes", `{"command":"P=my\\ hunter2 psql","cmd":"P=$(echo hunter2 x) psql"}`, `{"command":"…","cmd":"…"}`},
	{"and in a reference", `{"command":"P=${Q:-my hunter2 x} psql","cmd":"P= hunter2 psql"}`, `{"command":"…","cmd":"…"}`},
	{"a folder to go to", `{"command":"cd /src/web && npm test","cmd":"cd \"$A\" && B=1 go vet"}`, `{"command":"npm test","cmd":"go vet"}`},
	{"a quoted folder", `{"command":"cd 'a && hunter2 x' && ls","cmd":"cd $(echo && hunter2 x)"}`, `{"command":"cd …","cmd":"cd …"}`},
	{"a path to a program", `{"command":"/usr/bin/git log -3"}`, `{"command":"/usr/bin/git log …"}`},
	{"no program", `{"command":"\"hunter2\" x","cmd":"-phunter2"}`, `{"command":"…","cmd":"…"}`},
	{"a token in the place of a program is left out", `{"command":"ghp_` + letters + `","cmd":"k3b1f0a2c4d6e8f7a9b5c1d3"}`, `{"command":"…","cmd":"…"}`},
	{"a list of words", `{"command":["sshpass","-p","hunter2","ssh"],"cmd":["git","push","hunter2"]}`, `{"command":"sshpass …","cmd":"git push …"}`},
	{"a shell", `{"command":["/bin/bash","-lc","go test ./... -run hunter2"],"cmd":["bash","-l","hunter2"]}`, `{"command":"go test …","cmd":"bash …"}`},
	{"a shell in a text", `{"command":"bash -lc 'go test ./... -run hunter2'","cmd":"sh -c \"go vet\""}`, `{"command":"go test …","cmd":"go vet"}`},
	{"a shell with more words", `{"command":"bash -c 'X=1' hunter2","cmd":"sh -c X=1 hunter2"}`, `{"command":"…","cmd":"sh …"}`},
	{"variables in a shell", `{"command":"bash -c \"X='my hunter2 x' ls\"","cmd":"sh -c \"X=\\\"my hunter2 x\\\" ls\""}`, `{"command":"…","cmd":"…"}`},
	{"a script of a shell", `{"command":["bash","a.c","hunter2 x"]}`, `{"command":"bash …"}`},
	{"paths", `{"paths":["a.go","b.go"],"files":["1","2","3","4","5","6","7"]}`, `{"paths":["a.go","b.go"],"files":["1","2","3","4","5","…"]}`},
	{"what is no path", `{"path":{"a":1},"paths":[1,2],"limit":"hunter2","command":5}`, `{"path":"…","paths":"…","limit":"…","command":"…"}`},
	{"a text is no path", `{"path":"a\nhunter2","file":"a@b/ada:hunter2@host/x","dir":"C:\\node_modules\\@types","cwd":"a:hunter2@host"}`, `{"path":"…","file":"…","dir":"C:\\node_modules\\@types","cwd":"…"}`},
	{"an address is no path", `{"path":"https://host/hunter2","pattern":"http://ada:hunter2@host"}`, `{"path":"…","pattern":"…"}`},
	{"a path with a query", `{"path":"/hook?x=hunter2"}`, `{"path":"/hook…"}`},
	{"a token is no path", `{"path":"/x/ghp_` + letters + `","pattern":"ghp_` + letters + `"}`, `{"path":"…","pattern":"…"}`},
	{"a long word is no pattern", `{"pattern":"^k3b1f0a2c4d6e8f7a9b5c1d3$","path":".git/d557d5fbb516ce0375c1787f152e328cc533310c"}`, `{"pattern":"…","path":".git/d557d5fbb516ce0375c1787f152e328cc533310c"}`},
	{"a number that is no count", `{"limit":4929123412341234,"line":-1.5e3}`, `{"limit":"…","line":-1.5e3}`},
	{"what is no name of an argument", `{"ghp_` + letters + `":1,"path":"a","my hunter2":true}`, `{"path":"a","…":2}`},
	{"as package json writes it", `{"pattern":"<a> & b"}`, `{"pattern":"\u003ca\u003e \u0026 b"}`},
	{"nothing", `{}`, `{}`},
}

func TestMask(t *testing.T) {
	for _, c := range masks {
		if got := todo.Mask(json.RawMessage(c.in)); string(got) != c.want {
			t.Errorf("%s:\n%s\nbecomes\n%s\nwant\n%s", c.name, c.in, got, c.want)
		}
	}
}

func TestMaskShape(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing", ``, ``},
		{"null", `null`, ``},
		{"no JSON", `{"a":`, ``},
		{"more than one", `{} {}`, ``},
		{"a space that JSON does not have", "\f0", ``},
		{"spaces", " { \"limit\" : 1 , \"path\" : [ \"a\" ] } ", `{"limit":1,"path":["a"]}`},
		{"a string", `"*** Begin Patch"`, `{"input":"…"}`},
		{"a list", `["a"]`, `{"input":"…"}`},
		{"a long text", `{"path":"` + strings.Repeat("x", 5000) + `"}`, `{"path":"…"}`},
		{"texts that are longer as JSON", `{"paths":[` + strings.Repeat(","+quote(strings.Repeat("\x01", 299)), 5)[1:] + `]}`, `{"…":1}`},
		{"too long", `{"a":"` + strings.Repeat("x", todo.MaxInput) + `"}`, fmt.Sprintf(`{"…":%d}`, todo.MaxInput+8)},
	} {
		if got := todo.Mask(json.RawMessage(c.in)); string(got) != c.want {
			t.Errorf("%s: %.200s, want %.200s", c.name, got, c.want)
		}
	}
	var keys strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&keys, `,"key_%03d":"value"`, i)
	}
	got := string(todo.Mask(json.RawMessage("{" + keys.String()[1:] + "}")))
	if !strings.HasPrefix(got, `{"key_000":"…","key_001"`) || !strings.Contains(got, `,"…":`) || len(got) > todo.MaxArguments {
		t.Errorf("a thousand keys become %d bytes: %s", len(got), got)
	}
}

func quote(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

// Whatever comes, what is kept is an object within the limit, or nothing, and no text in it
// has the shape of a secret.
func FuzzMask(f *testing.F) {
	for _, c := range masks {
		f.Add([]byte(c.in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		// What the fuzzer makes is too short to be cut: each x stands for many.
		// And little of it is JSON, but all of it can be a text in some.
		long := bytes.ReplaceAll(in, []byte("x"), bytes.Repeat([]byte("x"), 700))
		for _, in := range [][]byte{in, long, []byte(quote(string(in))), []byte(quote(string(long)))} {
			if len(in) > todo.MaxInput {
				continue
			}
			got := todo.Mask(in)
			if len(got) > todo.MaxArguments {
				t.Errorf("%d bytes are kept", len(got))
			}
			if (got == nil) != (!json.Valid(in) || string(bytes.TrimSpace(in)) == "null") {
				t.Errorf("%.3000q becomes %q", in, got)
			}
			if got == nil {
				continue
			}
			if !json.Valid(got) || got[0] != '{' {
				t.Errorf("%.3000q becomes %q", in, got)
			}
			var kept map[string]any
			if err := json.Unmarshal(got, &kept); err != nil {
				t.Errorf("%.3000q becomes %q: %v", in, got, err)
			}
			for key, v := range kept {
				if text, ok := v.(string); todo.MaskText(key) != key || ok && todo.MaskText(text) != text {
					t.Errorf("%.3000q becomes %q", in, got)
				}
			}
		}
	})
}
