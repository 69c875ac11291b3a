package integrations

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// envLog makes this program a pawl that the plugin can call: it writes down how
// it was called into that file, and answers what the file beside it has for the
// event.
const envLog = "PAWL_TEST_LOG"

func TestMain(m *testing.M) {
	if log := os.Getenv(envLog); log != "" {
		if err := pawl(log); err != nil {
			os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func pawl(log string) error {
	stdin, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	call, err := json.Marshal(map[string]any{"args": os.Args[1:], "stdin": json.RawMessage(stdin), "dir": dir})
	if err != nil {
		return err
	}
	f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.Write(append(call, '\n')); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	text, err := os.ReadFile(log + ".answers")
	if err != nil {
		return err
	}
	var answers map[string]json.RawMessage
	if err := json.Unmarshal(text, &answers); err != nil {
		return err
	}
	switch answer := answers[os.Args[len(os.Args)-1]]; string(answer) {
	case `"hang"`:
		interrupted := make(chan os.Signal, 1)
		signal.Notify(interrupted, os.Interrupt)
		<-interrupted // nobody does: it is killed
	case `"garbage"`:
		_, err = os.Stdout.WriteString("not JSON\n")
	default:
		_, err = os.Stdout.Write(answer)
	}
	return err
}

// minTests are in pawl.test.mjs, so that none gets lost.
const minTests = 36

func TestPlugin(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		mustrun.Skip(t, "node is not installed")
	}
	self := must.Get(os.Executable())(t)
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute) // a plugin that waits for ever is a failure, too; a busy machine is none
	defer cancel()
	cmd := exec.CommandContext(ctx, node, "--test", "--test-reporter=tap", "opencode/pawl.test.mjs")
	cmd.Env = append(os.Environ(), "PAWL_BIN="+self, "PAWL_TEST_DIR="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	passed := regexp.MustCompile(`(?m)^# pass (\d+)`).FindSubmatch(out)
	if passed == nil {
		t.Fatalf("no count of tests in\n%s", out)
	}
	if n, _ := strconv.Atoi(string(passed[1])); n < minTests {
		t.Errorf("%d tests passed, want at least %d\n%s", n, minTests, out)
	}
}

// TestPluginIsOneFunction: opencode calls whatever a plugin's file exports.
func TestPluginIsOneFunction(t *testing.T) {
	if n := bytes.Count([]byte(OpencodePlugin()), []byte("\nexport ")); n != 1 {
		t.Errorf("the plugin exports %d things, want the plugin alone", n)
	}
}
