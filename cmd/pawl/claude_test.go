package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

func init() { programs["claude"] = claude }

// claude stands for an agent's program: all that its input names is run by this
// process, as one agent runs its shell, its hooks and its servers.
//
//	session S        what the environment of all that follows calls the session
//	hook FILE        tell the hook what is in a file, with $NAMES expanded
//	mcp TOOL JSON    call a tool of pawl mcp, which is started by the first call
//	die              end at once, as by kill -9
//	…                a command for a shell; the exit code is told when it is not 0
func claude() {
	a := &someAgent{env: append(os.Environ(), "CLAUDECODE=1")}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		word, rest, _ := strings.Cut(in.Text(), " ")
		var err error
		switch word {
		case "", "#":
		case "session":
			a.env = append(a.env, "CLAUDE_CODE_SESSION_ID="+rest)
		case "hook":
			err = a.hook(rest)
		case "mcp":
			err = a.mcp(rest)
		case "die":
			if self, err := os.FindProcess(os.Getpid()); err == nil {
				_ = self.Kill()
			}
			select {}
		default:
			fmt.Println("$", in.Text())
			if failed := a.run(exec.Command("sh", "-c", in.Text())); failed != nil {
				fmt.Println(failed)
			}
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	if a.in != nil {
		a.in.Close()
		a.server.Wait()
	}
}

type someAgent struct {
	env    []string
	server *exec.Cmd
	in     interface {
		Write([]byte) (int, error)
		Close() error
	}
	out   *bufio.Scanner
	calls int
}

func (a *someAgent) run(cmd *exec.Cmd) error {
	cmd.Env, cmd.Stdout, cmd.Stderr = a.env, os.Stdout, os.Stdout
	return cmd.Run()
}

func (a *someAgent) hook(file string) error {
	text, err := os.ReadFile(os.Getenv("WORK") + "/" + file)
	if err != nil {
		return err
	}
	cmd := exec.Command("sh", "-c", "pawl hook --agent claude")
	cmd.Stdin = strings.NewReader(os.ExpandEnv(string(text)))
	return a.run(cmd)
}

func (a *someAgent) mcp(call string) error {
	if a.server == nil {
		if err := a.connect("pawl", "mcp"); err != nil {
			return err
		}
	}
	fmt.Println(">", call)
	fmt.Println(a.call(call))
	return nil
}

// connect starts a server.
func (a *someAgent) connect(command string, args ...string) (err error) {
	a.server = exec.Command(command, args...)
	a.server.Env, a.server.Stderr = a.env, os.Stderr
	if a.in, err = a.server.StdinPipe(); err != nil {
		return err
	}
	out, err := a.server.StdoutPipe()
	if err != nil {
		return err
	}
	if err := a.server.Start(); err != nil {
		return err
	}
	a.out = bufio.NewScanner(out)
	a.out.Buffer(nil, 1<<20)
	a.ask("initialize", json.RawMessage(`{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"claude-code","version":"2"}}`))
	fmt.Fprintln(a.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return nil
}

// call calls a tool: its name, and its arguments.
func (a *someAgent) call(call string) string {
	name, args, _ := strings.Cut(call, " ")
	return a.ask("tools/call", json.RawMessage(fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, args)))
}

// ask returns the text of the answer.
func (a *someAgent) ask(method string, params json.RawMessage) string {
	a.calls++
	fmt.Fprintf(a.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", a.calls, method, params)
	for a.out.Scan() {
		var answer struct {
			ID     int
			Result struct {
				IsError bool
				Content []struct{ Text string }
			}
		}
		if json.Unmarshal(a.out.Bytes(), &answer) == nil && answer.ID == a.calls {
			text := ""
			if answer.Result.IsError {
				text = "! "
			}
			for _, c := range answer.Result.Content {
				text += c.Text
			}
			return text
		}
	}
	return ""
}
