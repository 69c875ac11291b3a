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
	hex40   = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"
	letters = strings.Repeat("aB3xY9", 8)
	jwt     = "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0." + "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
	pem     = "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n" + letters + "\n-----END RSA " + "PRIVATE KEY-----"
)

var masks = []struct{ name, in, want string }{
	// Secrets by the name of their key.
	{"password", `{"user":"ada","password":"hunter2"}`, `{"user":"ada","password":"[masked]"}`},
	{"any case", `{"API_KEY":"abc","apiKey":"abc","x-api-key":"abc","Api Key":"abc"}`, `{"API_KEY":"[masked]","apiKey":"[masked]","x-api-key":"[masked]","Api Key":"[masked]"}`},
	{"the ends of names", `{"accessToken":"a","client_secret":"a","Authorization":"Basic x","Set-Cookie":"a=b","aws_secret_access_key":"a"}`,
		`{"accessToken":"[masked]","client_secret":"[masked]","Authorization":"[masked]","Set-Cookie":"[masked]","aws_secret_access_key":"[masked]"}`},
	{"nested", `{"headers":{"authorization":"x"},"env":[{"DB_PASSWORD":"x"}]}`, `{"headers":{"authorization":"[masked]"},"env":[{"DB_PASSWORD":"[masked]"}]}`},
	{"whole", `{"credentials":{"user":"ada","pin":1234},"cookies":["a=b"],"passphrase":1234}`, `{"credentials":"[masked]","cookies":"[masked]","passphrase":"[masked]"}`},
	{"pass and pwd", `{"pass":"hunter2","db_pwd":"hunter2"}`, `{"pass":"[masked]","db_pwd":"[masked]"}`},

	// Secrets by their own shape.
	{"OpenAI", `{"s":"sk-proj-` + letters + `"}`, `{"s":"[masked]"}`},
	{"Anthropic", `{"s":"use sk-ant-api03-` + letters + `-AA now"}`, `{"s":"use [masked] now"}`},
	{"GitHub", `{"s":"ghp_` + letters + `","t":"github_pat_11AA0_` + letters + `"}`, `{"s":"[masked]","t":"[masked]"}`},
	{"GitLab, Slack, npm, Google, Stripe", `{"s":["glpat-` + letters + `","xoxb-1234-5678-` + letters + `","npm_` + letters + `","AIza` + letters + `","sk_` + `live_` + letters + `"]}`,
		`{"s":["[masked]","[masked]","[masked]","[masked]","[masked]"]}`},
	{"AWS", `{"s":"AKIA` + `IOSFODNN7EXAMPLE"}`, `{"s":"[masked]"}`},
	{"JWT", `{"s":"x=` + jwt + `;"}`, `{"s":"x=[masked];"}`},
	{"PEM", `{"s":` + quote("key:\n"+pem+"\nend") + `}`, `{"s":"key:\n[masked]\nend"}`},
	{"PEM, cut off", `{"s":` + quote(pem[:80]) + `}`, `{"s":"[masked]"}`},
	{"Bearer", `{"s":"curl -H 'X: Bearer abcd1234efgh' host"}`, `{"s":"curl -H 'X: Bearer [masked]' host"}`},
	{"Basic", `{"s":"Basic YWRhOmh1bnRlcjI="}`, `{"s":"Basic [masked]"}`},
	{"an address", `{"s":"postgres://ada:hunter2@db:5432/x?a=b"}`, `{"s":"postgres://ada:[masked]@db:5432/x?a=b"}`},
	{"an address with a token for a user", `{"s":"https://` + hex40 + `@github.com/a/b"}`, `{"s":"https://[masked]@github.com/a/b"}`},
	{"in a key", `{"ghp_` + letters + `":1}`, `{"[masked]":1}`},

	// Secrets beside their name in a text.
	{"assigned", `{"command":"API_KEY=abc123 PGPASSWORD='a b' ./run --token=xyz"}`, `{"command":"API_KEY=[masked] PGPASSWORD='[masked]' ./run --token=[masked]"}`},
	{"a flag", `{"command":"login --password hunter2 --user ada"}`, `{"command":"login --password [masked] --user ada"}`},
	{"a header", `{"command":"curl -H \"Cookie: a=b; c=d\" -H 'Authorization: Token q' -H 'X-Api-Key: 12345678x'"}`,
		`{"command":"curl -H \"Cookie: [masked]\" -H 'Authorization: [masked]' -H 'X-Api-Key: [masked]'"}`},
	{"JSON in JSON", `{"body":"{\"user\":\"ada\",\"password\": \"hunter2\"}"}`, `{"body":"{\"user\":\"ada\",\"password\": \"[masked]\"}"}`},
	{"JSON in JSON in JSON", `{"command":"curl -d \"{\\\"secret\\\":\\\"x\\\"}\""}`, `{"command":"curl -d \"{\\\"secret\\\":\\\"[masked]\\\"}\""}`},
	{"in a question", `{"url":"https://example.org/a?x=1&access_token=abc&y=2"}`, `{"url":"https://example.org/a?x=1&access_token=[masked]&y=2"}`},
	{"in a file", `{"content":"host: db\npassword: hunter2-x99\nsecret = \"s\"\n"}`, `{"content":"host: db\npassword: [masked]\nsecret = \"[masked]\"\n"}`},
	{"of ADO", `{"s":"Server=db;Uid=sa;Pwd=hunter2;"}`, `{"s":"Server=db;Uid=sa;Pwd=[masked];"}`},
}

// What looks a little like a secret and is none stays.
var stays = []string{
	`{"commit":"` + hex40 + `"}`,
	`{"id":"0f0d6a1e-5b1c-4c1e-9a53-6f0e6a1f2b3c"}`,
	`{"path":"src/very/deeply/nested/directory/structure/app.ts","pwd":"/home/ada","file_path":"C:\\src\\token.go"}`,
	`{"max_tokens":4096,"token_count":12,"tokenizer":"bert","tokens":"many","secret_name":"db","token":12}`,
	`{"sum":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}`,
	`{"class":"sk-loading-indicator-container-2","name":"risk-1234567890123456789"}`,
	`{"password":"","token":null,"secret":true,"cookies":[],"credentials":{}}`,
	`{"password":"$PASSWORD","command":"curl -H \"Authorization: $AUTH\" --token ${TOKEN} -p <password>"}`,
	`{"content":"func parse(token string) { token = lexer.next() }\nif token == other { return password }"}`,
	`{"content":"password: required\ntoken: string\nThe secret: to be found out"}`,
	`{"prompt":"Explain Bearer authentication and Basic knowledge, and the token it needs"}`,
	`{"url":"https://git@github.com/a/b","other":"http://host:8080/a@b","third":"ssh://git@host:22/a"}`,
	`{"key":"-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----"}`,
	`{"command":"PWD=/home/ada git log --pretty=format:%H -- token.go && ls && pwd"}`,
	`{"command":"hf_hub_download ghp_ npm_config_registry xoxo eyJ AKIA"}`,
	`{"name":"名前","e":"👩‍💻 a\tb\u2028","n":1.50,"b":false,"z":null,"l":[1,[2,{"k":"v"}]],"<tag>":"a&b"}`,
	`{}`,
}

func TestMask(t *testing.T) {
	for _, c := range masks {
		if got := todo.Mask(json.RawMessage(c.in)); string(got) != c.want {
			t.Errorf("%s:\n%s\nbecomes\n%s\nwant\n%s", c.name, c.in, got, c.want)
		}
	}
	for _, in := range stays {
		if got := todo.Mask(json.RawMessage(in)); string(got) != in {
			t.Errorf("%s\nbecomes\n%s", in, got)
		}
	}
}

func TestMaskShape(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing", ``, ``},
		{"null", `null`, ``},
		{"no JSON", `{"a":`, ``},
		{"more than one", `{} {}`, ``},
		{"spaces", " { \"a\" : [ 1 , 2 ] } ", `{"a":[1,2]}`},
		{"a string", `"*** Begin Patch"`, `{"input":"*** Begin Patch"}`},
		{"a list", `["a"]`, `{"input":["a"]}`},
		{"a number that is none", `{"n":` + strings.Repeat("1", 50) + `}`, `{"n":"` + strings.Repeat("1", 50) + `"}`},
		{"deep", `{"a":` + strings.Repeat("[", 50) + strings.Repeat("]", 50) + `,"b":1}`, `{"a":` + strings.Repeat("[", 15) + `"…"` + strings.Repeat("]", 15) + `,"b":1}`},
		{"a long text", `{"path":"a.go","content":"` + strings.Repeat("x", 5000) + `"}`, `{"path":"a.go","content":"` + strings.Repeat("x", 1021) + `…"}`},
		{"long texts", `{"a":"` + strings.Repeat("x", 2000) + `","b":"` + strings.Repeat("ü", 1000) + `","c":"` + strings.Repeat("y", 400) + `"}`,
			`{"a":"` + strings.Repeat("x", 509) + `…","b":"` + strings.Repeat("ü", 254) + `…","c":"` + strings.Repeat("y", 400) + `"}`},
		{"a long list", `{"l":[` + strings.Repeat("1234567,", 500) + `0],"b":true}`, `{"l":"[` + strings.Repeat("1234567,", 24) + `1234…","b":true}`},
		{"too long", `{"a":"` + strings.Repeat("x", todo.MaxInput) + `"}`, fmt.Sprintf(`{"…":"%d bytes"}`, todo.MaxInput+8)},
		{"a secret at the end of what is looked at", `{"a":` + quote(pem[:len(pem)-30]+strings.Repeat(" .", 4000)+"ghp_"+letters) + `}`, `{"a":"[masked]"}`},
	} {
		if got := todo.Mask(json.RawMessage(c.in)); string(got) != c.want {
			t.Errorf("%s: %.200s, want %.200s", c.name, got, c.want)
		}
	}
	var keys strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&keys, `,"key %03d":"value"`, i)
	}
	got := string(todo.Mask(json.RawMessage("{" + keys.String()[1:] + "}")))
	if !strings.HasPrefix(got, `{"key 000":"value","key 001"`) || !strings.HasSuffix(got, ` more"}`) || len(got) > todo.MaxArguments {
		t.Errorf("a thousand keys become %d bytes: %s", len(got), got)
	}
}

func quote(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

// Whatever comes, what is kept is an object within the limit, or nothing, and
// nothing in it is masked or cut a second time.
func FuzzMask(f *testing.F) {
	for _, c := range masks {
		f.Add([]byte(c.in))
	}
	for _, in := range stays {
		f.Add([]byte(in))
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
			if twice := todo.Mask(got); !bytes.Equal(twice, got) {
				t.Errorf("%.3000q becomes %q, and that %q", in, got, twice)
			}
		}
	})
}

func BenchmarkMask(b *testing.B) {
	for _, n := range []int{100, 10_000, 1_000_000} {
		in := json.RawMessage(`{"file_path":"/src/app.ts","content":` + quote(strings.Repeat("func main() { x = y }\n", n/22)) + `}`)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				todo.Mask(in)
			}
		})
	}
}
