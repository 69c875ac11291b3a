package program

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// noon is on the day on which the streams were recorded.
var noon = time.Date(2026, 11, 28, 11, 20, 0, 0, time.UTC)

func testProgram(name string) *Program {
	a := known.Find(name)
	p := &Program{Name: name, Title: a.Title, Path: "/bin/" + name, Known: a, Tells: a.Headless.Tells, Resumes: true, Login: a.Headless.Login, stream: a.Headless}
	if a.Headless.ACP != nil {
		p.client = []string{"/bin/pawl", "run-client"}
	}
	return p
}

// read reads a recorded stream, and returns what the program did in each line that said
// something else than the one before.
func read(t *testing.T, p *Program, stream []byte) (did []string, used []int, seen Seen) {
	t.Helper()
	r := p.Reader()
	lines := bufio.NewScanner(bytes.NewReader(stream))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		r.Line(lines.Bytes(), noon)
		if d := r.Seen().Doing; d != "" && (len(did) == 0 || did[len(did)-1] != d) {
			did = append(did, d)
		}
		if n := r.Seen().Usage.Sum(); len(used) == 0 || used[len(used)-1] != n {
			used = append(used, n)
		}
	}
	if len(did)+len(used) == 0 {
		t.Fatal("the stream is empty")
	}
	return did, used, r.Seen()
}

// What real programs printed while they wrote a file, tried to commit and answered: what
// they did, what it cost in flight and at the end, and the answer.
func TestRecordedWork(t *testing.T) {
	shell := func(tool string) string { return tool + " git commit …" }
	for name, want := range map[string]struct {
		did  []string
		used []int
	}{
		// All its messages had one id in the recording: only the result counts them.
		"claude":   {[]string{"Write ada/tree/hello.txt", shell("Bash"), "All done."}, []int{0, 1001, 3030}},
		"codex":    {[]string{"Shell git add …", "All done."}, []int{0, 3030}},
		"copilot":  {[]string{"create ada/tree/hello.txt", shell("bash"), "All done."}, []int{0}},
		"opencode": {[]string{"write ada/tree/hello.txt", shell("bash"), "All done."}, []int{0, 1010, 2020, 3030}},
	} {
		t.Run(name, func(t *testing.T) {
			stream := must.Get(os.ReadFile(filepath.Join("..", "..", "agent", name, "testdata", "streams", "work.jsonl")))(t)
			p := testProgram(name)
			did, used, seen := read(t, p, stream)
			if !slices.Equal(did, want.did) || !slices.Equal(used, want.used) {
				t.Errorf("it did %q and used %v, want %q and %v", did, used, want.did, want.used)
			}
			if seen.Text != "All done.\nSecond line." || seen.Failed != "" || seen.Limited || len(seen.Session) < 8 {
				t.Errorf("%+v", seen)
			}
			if flight := len(used) > 2; flight != p.Tells.Tokens {
				t.Errorf("tokens in flight: %v, but the profile says %v", flight, p.Tells.Tokens)
			}
			if end := len(used) > 1; end != p.Tells.AllTokens {
				t.Errorf("tokens at the end: %v, but the profile says %v", end, p.Tells.AllTokens)
			}
			if (seen.Usage.Money > 0) != p.Tells.AllMoney && name != "opencode" { // whose scripted model costs nothing
				t.Errorf("money: %v, but the profile says %v", seen.Usage.Money, p.Tells.AllMoney)
			}
		})
	}
}

// What real programs printed when the scripted provider took no more requests.
func TestRecordedLimits(t *testing.T) {
	for name, until := range map[string]string{"claude": "", "codex": "13:19"} {
		stream := must.Get(os.ReadFile(filepath.Join("..", "..", "agent", name, "testdata", "streams", "limited.jsonl")))(t)
		_, _, seen := read(t, testProgram(name), stream)
		if !seen.Limited || seen.Failed == "" || seen.Text != "" {
			t.Errorf("%s: %+v", name, seen)
		}
		if got := seen.Until; got.IsZero() != (until == "") || until != "" && got.Format("15:04") != until {
			t.Errorf("%s: until %v, want %s", name, got, until)
		}
	}
}

// Lines that were read in bug reports, about limits and in parts.
func TestMadeLines(t *testing.T) {
	_, used, spoken := read(t, testProgram("gemini"), []byte(`{"session":"s1"}
{"text":"I ","more":true,"usage":{"in":90,"out":10}}
{"plan":{"todos":[{"content":"Read","status":"pending"}]},"more":true}
{"text":"begin.","more":true,"refused":"Shell curl …"}
{"failed":"Internal error: [API Error: You have exhausted your daily quota on this model.]"}
{"text":"half a li`))
	if !spoken.Limited || spoken.Text != "I begin." || spoken.Session != "s1" || len(spoken.Plan.Todos) != 1 || !slices.Equal(spoken.Refused, []string{"Shell curl …"}) || !slices.Equal(used, []int{0, 100}) {
		t.Errorf("what Pawl's client tells: %+v, used %v", spoken, used)
	}
	p := testProgram("claude")
	for _, test := range []struct {
		lines   string
		limited bool
		until   time.Time
		tokens  int
	}{
		{`{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1795880000,"rateLimitType":"five_hour","isUsingOverage":false}}`, true, time.Unix(1795880000, 0), 0},
		{`{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1795880000,"isUsingOverage":true}}`, false, time.Time{}, 0},
		{`{"type":"rate_limit_event","rate_limit_info":{"status":"allowed_warning","resetsAt":1795880000}}`, false, time.Time{}, 0},
		{`{"type":"system","subtype":"api_retry","attempt":1,"error_status":529,"error":"overloaded_error","retry_delay_ms":1000}`, true, noon.Add(time.Second), 0},
		// It was limited, and then went on.
		{`{"type":"system","subtype":"api_retry","error_status":429,"error":"rate_limit","retry_delay_ms":1000}` + "\n" + `{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"On it"}]}}`, false, time.Time{}, 0},
		{`{"type":"result","is_error":true,"result":"Claude AI usage limit reached|1795880000"}`, true, time.Unix(1795880000, 0), 0},
		{`{"type":"result","is_error":true,"result":"You've hit your session limit · resets 3:50pm (Asia/Tokyo)"}`, true, time.Date(2026, 11, 29, 6, 50, 0, 0, time.UTC), 0},
		// An agent that talks about limits has none.
		{`{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"429 Too Many Requests: rate limit"}]}}` + "\n" + `{"type":"result","is_error":false,"result":"I handle the usage limit reached|1795880000 now"}`, false, time.Time{}, 0},
		// Parts of one message count once, those of others too, and the result is no more of it.
		{`{"type":"assistant","message":{"id":"m1","content":[],"usage":{"input_tokens":100,"output_tokens":1}}}` + "\n" +
			`{"type":"assistant","message":{"id":"m1","content":[],"usage":{"input_tokens":100,"output_tokens":7}}}` + "\n" +
			`{"type":"assistant","message":{"id":"m2","content":[],"usage":{"input_tokens":200,"cache_read_input_tokens":50,"output_tokens":3}}}`, false, time.Time{}, 360},
		{`{"type":"assistant","message":{"id":"m1","content":[],"usage":{"input_tokens":100,"output_tokens":1}}}` + "\n" + `{"type":"result","is_error":false,"result":"x","usage":{"input_tokens":100,"output_tokens":40}}`, false, time.Time{}, 140},
		// A result that tells less than the messages does not lower it.
		{`{"type":"assistant","message":{"id":"m1","content":[],"usage":{"input_tokens":100,"output_tokens":1}}}` + "\n" + `{"type":"result","is_error":false,"result":"x","usage":{"input_tokens":0,"output_tokens":0}}`, false, time.Time{}, 101},
	} {
		_, _, seen := read(t, p, []byte(test.lines))
		if seen.Limited != test.limited || !seen.Until.Equal(test.until) || seen.Usage.Sum() != test.tokens {
			t.Errorf("%s:\n%+v, want %v, %v, %d", test.lines, seen, test.limited, test.until, test.tokens)
		}
	}
	cursor := testProgram("cursor")
	did, _, seen := read(t, cursor, []byte(`{"type":"tool_call","subtype":"started","tool_call":{"readToolCall":{"args":{"path":"/x/a.go"}}},"session_id":"c6b6"}
{"type":"tool_call","subtype":"completed","tool_call":{"readToolCall":{"args":{"path":"/x/a.go"}}},"session_id":"c6b6"}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"Now I edit."}]},"session_id":"c6b6"}
{"type":"result","subtype":"success","is_error":false,"result":"Done.","session_id":"c6b6"}`))
	if !slices.Equal(did, []string{"read x/a.go", "Now I edit."}) || seen.Text != "Done." || seen.Session != "c6b6" {
		t.Errorf("%q %+v", did, seen)
	}
}

// What a program says is data: no line of it acts on a terminal, is long, or shows what a
// command was given.
func TestDoingIsClean(t *testing.T) {
	for _, line := range []string{
		`{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"\u001b]0;owned\u0007` + strings.Repeat("x", 5000) + `\nsecond"}]}}`,
		`{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","name":"Bash\u001b[2J","input":{"command":"curl -H 'Authorization: sk-123' https://x; export TOKEN=sk-123"}}]}}`,
		`{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","name":"Bash","input":{"command":"cargo login sk-123"}}]}}`,
		`{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","name":"Edit","input":{"file_path":["a"]}}]}}`,
		`{"type":"assistant","message":{"id":"m","content":"text"}}`,
	} {
		said := testProgram("claude").Said([]byte(line), noon)
		if strings.ContainsAny(said.Doing, "\x1b\x07\n") || len(said.Doing) > 300 || strings.Contains(said.Doing, "sk-123") {
			t.Errorf("%q", said.Doing)
		}
	}
	own := &Program{Name: "mine"}
	r := own.Reader()
	for _, line := range []string{"\x1b[31mReading\x1b[0m a.go", "", "  Done.  "} {
		r.Line([]byte(line), noon)
	}
	if s := r.Seen(); s.Doing != "Done." || s.Text != "Done." || s.Limited || s.Usage != (agent.Usage{}) {
		t.Errorf("%+v", s)
	}
}

func TestLimitTexts(t *testing.T) {
	at := time.Date(2026, 11, 28, 11, 20, 0, 0, time.FixedZone("", 3600))
	for text, want := range map[string]string{
		"You've hit your usage limit. Upgrade to Pro or try again in 5 days 22 hours 11 minutes.":               "142h11m",
		"You've hit your usage limit. Upgrade to Pro or try again in 2 minutes.":                                "2m",
		"You've hit your usage limit. … or try again at Dec 1st, 2026 3:14 PM.":                                 "75h54m",
		"You've hit your usage limit. … or try again at 12:16 PM.":                                              "56m",
		"You have exhausted your capacity on this model. Your quota will reset after 1h2m3s.":                   "1h2m3s",
		`{"error":{"code":429,"message":"… Please retry in 41.2s.","status":"RESOURCE_EXHAUSTED"}}`:             "41.2s",
		`{"error":{"type":"usage_limit_reached","resets_at":1795865000,"resets_in_seconds":3800}}`:              "1h3m20s",
		`{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"41s","status":"RESOURCE_EXHAUSTED"}`: "41s",
		"API Error: 529 {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}":                         "",
		"exceeded retry limit, last status: 429 Too Many Requests":                                              "",
		"API Error: Request rejected (429) · This request would exceed your account's limit.":                   "",
		"You've hit your limit · resets 6pm":                                                                    "6h40m",
		"usage limit: try again in 4000 days":                                                                   "192h",
		"usage limit reached|1999999999":                                                                        "",
		"usage limit reached|1600000000":                                                                        "",
		"the tests fail: got 429, want 200":                                                                     "none",
		"line 529: syntax error":                                                                                "none",
		"":                                                                                                      "none",
	} {
		limited, until, wait := agent.Limited(text, at)
		if limited != (want != "none") {
			t.Errorf("%q: limited: %v", text, limited)
			continue
		}
		if !until.IsZero() {
			wait = until.Sub(at)
		}
		wanted, _ := time.ParseDuration(want)
		if wait != wanted {
			t.Errorf("%q: %v, want %s", text, wait, want)
		}
	}
}

func FuzzLines(f *testing.F) {
	for _, a := range known.Agents {
		files, _ := filepath.Glob(filepath.Join("..", "..", "agent", a.Name, "testdata", "streams", "*.jsonl"))
		for _, file := range files {
			text := must.Get(os.ReadFile(file))(f)
			for line := range bytes.Lines(text) {
				f.Add(line)
			}
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, a := range known.Agents {
			if a.Headless == nil {
				continue
			}
			r := testProgram(a.Name).Reader()
			r.Line(line, noon)
			if s := r.Seen(); strings.ContainsAny(s.Doing, "\n\x1b") || len([]rune(s.Doing)) > 2*100 || s.Until.Sub(noon) > 9*24*time.Hour {
				t.Errorf("%s: %+v", a.Name, s)
			}
		}
	})
}
