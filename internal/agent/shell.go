package agent

import (
	"slices"
	"strings"
)

// A Shell is what an agent gives the lines of its hooks to. All lines that we
// write do nothing without pawl on the machine: they print nothing, and exit with 0.
// To some agents another exit code is a no to each prompt or tool call.
type Shell int

// The shells. Of two that stand together the machine decides.
const (
	CmdPowershell   Shell = iota
	Posix                 // sh, bash, zsh, fish
	Powershell            // 5.1, which has no && and ||, or newer
	Cmd                   // cmd.exe
	PosixPowershell       // where Git brought bash, or not
)

// Shell text around the call of a program that may not be there.
const (
	posixIf   = "command -v "
	posixThen = " >/dev/null 2>&1 && "
	posixEnd  = " || true"

	powershellIf   = "if (Get-Command "
	powershellThen = " -ErrorAction Ignore) { & "
	powershellEnd  = " }; exit 0"

	cmdEnd = " 2>nul || ver >nul"

	insideIf  = `cmd /d /c "`
	insideEnd = `"`

	// To a POSIX shell the first is a text that it drops, and the rest of the line a
	// comment; to PowerShell, where a backslash is like other letters, the text ends
	// earlier, and all from there to the second is a comment.
	bothIf   = `echo "\"<#" >/dev/null; `
	bothThen = "; exit 0 #> > $null; "
)

// Shell is the one that the agent has on the system. The files of a project go
// to other systems, too, and a line that a shell there cannot read would stop the
// agents: so Windows alone has no say in it.
func (p Place) Shell() Shell {
	switch of := p.Config.Windows; {
	case p.OS != "windows" || of == Posix:
		return Posix
	case p.Scope == Project:
		return PosixPowershell
	default:
		return of
	}
}

// Line is what a shell is given to call us with arguments.
func (p Place) Line(sh Shell, args string) string {
	word := p.word(sh)
	call := word + " " + args
	switch sh {
	case Posix:
		return posixIf + word + posixThen + call + posixEnd
	case Powershell:
		return powershellIf + word + powershellThen + call + powershellEnd
	case Cmd:
		return call + cmdEnd
	case PosixPowershell:
		return bothIf + p.Line(Posix, args) + bothThen + p.Line(Powershell, args)
	}
	if strings.HasPrefix(word, `"`) {
		return call // in PowerShell it would be no word inside of quotes
	}
	return insideIf + call + cmdEnd + insideEnd
}

// word is the program for a shell. Those of Windows but cmd know slashes in a
// path, and to bash a backslash is not part of one.
func (p Place) word(sh Shell) string {
	command, quote, twice := p.Command, "'", `'\''`
	switch {
	case sh == Powershell:
		twice = "''"
	case p.OS == "windows":
		quote, twice = `"`, `"` // which no path there has
	}
	also := ""
	if sh == Cmd || sh == CmdPowershell {
		also = `\`
	}
	if p.OS == "windows" && (also == "" || strings.Contains(command, " ") && sh == CmdPowershell) {
		command = strings.ReplaceAll(command, `\`, "/")
	}
	if !strings.ContainsFunc(command, func(r rune) bool { return !plain(r) && !strings.ContainsRune(also, r) }) {
		return command
	}
	return quote + strings.ReplaceAll(command, quote, twice) + quote
}

func plain(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@", r) || r > 0x7f
}

// Called is the program and the arguments of a line, also of one that an earlier
// version wrote:
//
//	pawl hook --agent x                                   pawl, hook --agent x
//	command -v pawl >/dev/null 2>&1 && pawl hook || true  pawl, hook
func Called(line string) (program, args string) {
	line = strings.TrimSpace(line)
	if rest, ok := strings.CutPrefix(line, bothIf); ok {
		line, _, _ = strings.Cut(rest, bothThen)
	}
	if rest, ok := strings.CutPrefix(line, insideIf); ok {
		line = strings.TrimSuffix(rest, insideEnd)
	}
	for _, around := range [][2]string{{posixIf, posixThen}, {powershellIf, powershellThen}} {
		if strings.HasPrefix(line, around[0]) {
			_, line, _ = strings.Cut(line, around[1])
		}
	}
	for _, end := range []string{posixEnd, powershellEnd, cmdEnd, "; exit 0"} {
		line = strings.TrimSuffix(line, end)
	}
	line = strings.TrimSpace(strings.TrimPrefix(line, "& "))
	if line == "" {
		return "", ""
	}
	quote := line[:1]
	if quote != `"` && quote != "'" {
		program, args, _ = strings.Cut(line, " ")
		return program, strings.TrimSpace(args)
	}
	for rest := line[1:]; ; {
		part, after, _ := strings.Cut(rest, quote)
		program += part
		again := slices.IndexFunc([]string{`\''`, "'"}, func(twice string) bool { return quote == "'" && strings.HasPrefix(after, twice) })
		if again < 0 {
			return program, strings.TrimSpace(after)
		}
		program += "'"
		rest = strings.TrimPrefix(strings.TrimPrefix(after, `\'`), "'")
	}
}

// IsPawl reports whether a program is called pawl.
func IsPawl(program string) bool {
	name := program[strings.LastIndexAny(program, `/\`)+1:]
	return strings.TrimSuffix(strings.ToLower(name), ".exe") == "pawl"
}
