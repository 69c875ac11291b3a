package acp_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/pawl-dev/pawl/internal/acp"
)

// copied reads all lines of a stream and passes them on.
func copied(t *testing.T, in io.Reader) (out []byte, whole int) {
	t.Helper()
	var b bytes.Buffer
	r, w := acp.NewReader(in), acp.NewWriter(&b)
	for {
		line, err := r.Next()
		if err == io.EOF {
			return b.Bytes(), whole
		}
		if err == nil {
			err = w.Pass(line)
		}
		if err != nil {
			t.Fatal(err)
		}
		if line.Whole {
			whole++
		}
	}
}

// What is read is what was sent, however it comes in and however long its lines are.
func TestLines(t *testing.T) {
	long := strings.Repeat("x", acp.MaxLine+1)
	for name, c := range map[string]struct {
		text  string
		whole int
	}{
		"none":         {"", 0},
		"empty lines":  {"\n\n", 2},
		"no end":       {"{}\n{", 2},
		"invalid":      {"\xff\x00\n", 1},
		"long":         {long + "\n{}\n", 1},
		"long, no end": {"{}\n" + long, 1},
		"just short":   {long[:acp.MaxLine-1] + "\n", 1},
		"two long":     {long + "\n" + long + "\n", 0},
	} {
		for how, in := range map[string]io.Reader{
			"at once": strings.NewReader(c.text), "in halves": iotest.HalfReader(strings.NewReader(c.text)), "with its end": iotest.DataErrReader(strings.NewReader(c.text)),
		} {
			got, whole := copied(t, in)
			if string(got) != c.text || whole != c.whole {
				t.Errorf("%s, %s: %d bytes of %d, %d whole lines, want %d", name, how, len(got), len(c.text), whole, c.whole)
			}
		}
	}
}

// A line of several parts is not interrupted.
func TestSendWaitsForALine(t *testing.T) {
	var b bytes.Buffer
	w := acp.NewWriter(&b)
	if err := w.Pass(acp.Line{Text: []byte("ab")}); err != nil {
		t.Fatal(err)
	}
	sent := make(chan error)
	go func() { sent <- w.Send([]byte("S\n")) }()
	if err := w.Pass(acp.Line{Text: []byte("c\n"), Ends: true}); err != nil {
		t.Fatal(err)
	}
	if err := <-sent; err != nil || b.String() != "abc\nS\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
	if err := w.Pass(acp.Line{Text: []byte("{"), Ends: true}); err != nil {
		t.Fatal(err)
	}
	if err := w.Send([]byte("S\n")); err == nil {
		t.Error("a line is sent within the last one")
	}
}

// looks holds Fields to package json: whatever that reads, it reads the same.
func looks(t *testing.T, text []byte) {
	t.Helper()
	var want map[string]json.RawMessage
	if json.Unmarshal(text, &want) != nil {
		return
	}
	got := map[string]json.RawMessage{}
	if !acp.Fields(text, func(key, value []byte) { got[string(key)] = value }) {
		t.Errorf("%.200q is not an object", text)
	}
	for key, value := range want {
		if strings.ContainsAny(key, "\"\\\ufffd") || bytes.ContainsRune(text, '\\') && got[key] == nil {
			continue // as it is written it has another name
		}
		if !bytes.Equal(got[key], value) {
			t.Errorf("%.200q: %q is %.200q, want %.200q", text, key, got[key], value)
		}
	}
}

func FuzzLook(f *testing.F) {
	for _, text := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/a\"b\\"}}`, `{}`, `{"a":[{"b":"]"}], "id" : null }`, `{"id":"x\\\"","id":-1.5e3}`, `{`, `{"a"`, `{"a":}`, `{"a":1,}`, `[1]`, `{"a":]}`,
	} {
		f.Add([]byte(text))
	}
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) < 6 {
		f.Fatalf("recordings %q, %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			f.Add([]byte(acp.Field(line, "message")))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		looks(t, text)
		acp.Look(text)
		if got, _ := copied(t, iotest.OneByteReader(bytes.NewReader(text))); !bytes.Equal(got, text) {
			t.Errorf("%q became %q", text, got)
		}
	})
}

// BenchmarkLook is what a message of a megabyte costs on its way.
func BenchmarkLook(b *testing.B) {
	text := make([]byte, 1<<20)
	for i := range text {
		text[i] = "abcdefghijklmnopqrstuvwxyz012345"[rand.IntN(32)]
	}
	line := acp.Request(json.RawMessage("1"), acp.MethodPrompt, acp.Prompt{SessionID: "s", Prompt: []acp.Block{{Type: "image", Text: string(text)}}})
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if _, ok := acp.Look(line); !ok {
			b.Fatal("it is none")
		}
	}
}
