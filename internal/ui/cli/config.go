package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/credentials"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/internal/text"
)

var configVerb = verb{
	name:  "config",
	use:   "[ACTION...] [flags]",
	short: "show and change settings",
	long: "list shows all settings, their values and which file sets them; config alone does the same. explain KEY describes a setting and its allowed values. get KEY prints a value. set KEY VALUE and unset KEY change a file. path prints the paths of the files.\n\n" +
		"The session's file overrides yours, yours overrides the project's, and the project's overrides the default. set and unset change the project's file unless --scope names another. The session is your own unless --session names one.",
	kind: "config",
	examples: []string{
		"pawl config set lease 45m",
		"pawl config get lease",
	},
	max:   3,
	build: buildConfig,
}

var configActions = actions[*config]{
	{"list", "", "", 0, 0, nil, (*config).list},
	{"explain", "KEY", "", 1, 1, nil, (*config).explain},
	{"get", "KEY", "", 1, 1, nil, (*config).get},
	{"set", "KEY VALUE", "", 2, 2, nil, (*config).set},
	{"unset", "KEY", "", 1, 1, nil, (*config).unset},
	{"path", "", "", 0, 0, nil, (*config).path},
}

// config is one run of the verb.
type config struct {
	*app
	word string // of the scope, as it was given
	user bool
}

func buildConfig(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	c := &config{app: a}
	cmd.Flags().StringVar(&c.word, "scope", "", "`project|user|session` read or change that file only")
	cmd.Flags().BoolVar(&c.user, "user", false, "the same as --scope user")
	return func(ctx context.Context, args []string) error {
		if len(args) == 0 {
			args = []string{"list"}
		}
		do := configActions.find(args[0])
		if do == nil {
			return noAction(args)
		}
		if _, err := c.scope(settings.Default); err != nil {
			return err
		}
		if err := configActions.check("config", do, cmd, args[1:]); err != nil {
			return err
		}
		return do.run(c, ctx, args[1:])
	}
}

// suggestConfig are actions, then keys, then values.
func suggestConfig(a *app, v verb, ctx context.Context, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var found []cobra.Completion
	add := func(word, meaning string) {
		if strings.HasPrefix(word, begun) {
			found = append(found, cobra.CompletionWithDesc(word, meaning))
		}
	}
	takes := 0
	if len(args) > 0 {
		if do := configActions.find(args[0]); do != nil {
			takes = do.max
		}
	}
	switch {
	case len(args) == 0:
		for _, do := range configActions {
			add(do.name, do.use)
		}
	case len(args) == 1 && takes > 0:
		for i := range settings.Table {
			add(settings.Table[i].Key, settings.Table[i].Meaning)
		}
	case len(args) == 2 && takes == 2:
		s := settings.Find(args[1])
		switch {
		case s != nil && s.Type == settings.Folder:
			return folders(a, v, ctx, args, begun)
		case s != nil && (s.Type == settings.Bool || s.Switch):
			return words("true", "false")(a, v, ctx, args, begun)
		case s != nil:
			return words(s.Words...)(a, v, ctx, args, begun)
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// noAction refuses an unknown action. Users of git type a key alone
// to read it, and a value behind it to change it.
func noAction(args []string) error {
	e := pawl.Errorf(pawl.Invalid, "unknown config action %q", text.Clip(args[0], 40)).Say("pawl help config")
	var names []string
	for _, do := range configActions {
		names = append(names, do.name)
	}
	switch near := text.Nearest(args[0], names); {
	case settings.Find(args[0]) != nil && len(args) == 2:
		e.Hint.Text = configCommand("set", args...)
	case settings.Find(args[0]) != nil:
		e.Hint.Text = configCommand("get", args[0])
	case near != "":
		e.Hint.Text = configCommand(near, args[1:]...)
	}
	return e
}

// configCommand is a command line of the verb.
func configCommand(action string, args ...string) string {
	return commandLine("pawl config "+action, args...)
}

// settingOf finds the setting of a key that somebody typed.
func settingOf(args []string, action string) (*settings.Setting, error) {
	if s := settings.Find(args[0]); s != nil {
		return s, nil
	}
	e := pawl.Errorf(pawl.NotFound, "unknown setting %q", text.Clip(args[0], 60)).Say("pawl config list")
	if was := settings.Former(args[0]); was != "" {
		e.Message = args[0] + " " + was
	} else if near := settings.Nearest(args[0]); near != "" {
		e.Hint.Text = configCommand(action, append([]string{near}, args[1:]...)...)
	}
	return nil, e
}

// scope is the one that was asked for, or else.
func (c *config) scope(otherwise settings.Scope) (settings.Scope, error) {
	if c.user && c.word != "" && c.word != "user" {
		return 0, usage("config", "--user and --scope %s contradict each other: give one of them", c.word)
	}
	if c.user {
		return settings.User, nil
	}
	if c.word == "" {
		return otherwise, nil
	}
	for _, scope := range []settings.Scope{settings.Project, settings.User, settings.Session} {
		if scope.String() == c.word {
			return scope, nil
		}
	}
	return 0, usage("config", "unknown scope %q: use project, user or session", text.Clip(c.word, 40))
}

// files reads the file of the scope that was asked for, or all of them.
func (c *config) files() ([]*settings.File, error) {
	scope, _ := c.scope(settings.Default)
	if scope == settings.Default {
		return c.settingsFiles()
	}
	path, err := c.settingsFile(scope)
	if err != nil {
		return nil, err
	}
	return []*settings.File{settings.Read(scope, path)}, nil
}

func (c *config) list(context.Context, []string) error {
	files, err := c.files()
	if err != nil {
		return err
	}
	merged := settings.Merge(files...)
	values := merged.All()
	if scope, _ := c.scope(settings.Default); scope != settings.Default {
		values = slices.DeleteFunc(values, func(v settings.Value) bool { return v.Origin.Scope == settings.Default })
	}
	if c.json {
		err = c.printConfig(false, files, values...)
	} else {
		c.table(values)
		for _, p := range merged.Problems() {
			c.problem(p)
		}
	}
	if err == nil && slices.ContainsFunc(merged.Problems(), func(p settings.Problem) bool { return p.Error }) {
		err = errFound
	}
	return err
}

// table prints values in columns:
//
//	lease   45m   project   claim, the task tools
func (c *config) table(values []settings.Value) {
	const longest = 40 // a value in its column
	rows := make([][]string, len(values))
	for i, v := range values {
		rows[i] = []string{v.Setting.Key, text.Line(orNone(v.String())), v.Origin.Scope.String(), v.Setting.ReadBy}
	}
	for i, line := range c.screen.columns(rows, "   ", longest) {
		if values[i].Origin.Scope == settings.Default {
			line = c.paint.as(faint, line)
		}
		c.print("%s\n", line)
	}
}

func (c *config) explain(_ context.Context, args []string) error {
	setting, err := settingOf(args, "explain")
	if err != nil {
		return err
	}
	files, err := c.files()
	if err != nil {
		return err
	}
	value := settings.Merge(files...).Get(setting.Key)
	if c.json {
		return c.printConfig(false, files, value)
	}
	standard := orNone(setting.Default)
	if setting.Shared != "" {
		standard += ", on a shared board " + setting.Shared
	}
	rows := [][2]string{
		{"value", orNone(value.String())}, {"set by", value.Origin.Scope.String()}, {"default", standard},
		{"must be", strings.TrimPrefix(setting.Wants(), "must be ")}, {"used by", setting.ReadBy},
	}
	if o := value.Origin; o.File != "" {
		rows[1][1] += fmt.Sprintf(", in %s:%d:%d", o.File, o.Line, o.Column)
	}
	if len(setting.Aliases) > 0 {
		rows = append(rows, [2]string{"also", strings.Join(setting.Aliases, ", ")})
	}
	c.print("%s\n%s\n", c.paint.as(bold, setting.Key), strings.Join(term.Wrap(setting.Meaning, c.screen.textWidth()), "\n"))
	for _, row := range rows {
		c.print("  %-9s%s\n", row[0], text.Line(row[1]))
	}
	return nil
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

func (c *config) get(_ context.Context, args []string) error {
	setting, err := settingOf(args, "get")
	if err != nil {
		return err
	}
	files, err := c.files()
	if err != nil {
		return err
	}
	merged := settings.Merge(files...)
	value := merged.Get(setting.Key)
	if scope, _ := c.scope(settings.Default); scope != value.Origin.Scope && scope != settings.Default {
		return pawl.Errorf(pawl.NotFound, "%s is not set for the %s", setting.Key, scope).
			Say("pawl config get " + setting.Key)
	}
	if c.json {
		return c.printConfig(false, files, value)
	}
	for _, p := range merged.Problems() {
		c.problem(p)
	}
	c.print("%s\n", text.Line(value.String()))
	return nil
}

func (c *config) set(ctx context.Context, args []string) error {
	setting, err := settingOf(args, "set")
	if err != nil {
		return err
	}
	value, err := setting.Parse(args[1])
	if err != nil {
		return err
	}
	if scope, _ := c.scope(settings.Project); setting.Allows(scope) {
		if err := setting.Place(value, scope); err != nil {
			return err
		}
	}
	if err := c.makeFolder(ctx, setting, args[1]); err != nil {
		return err
	}
	scope, path, err := c.target(setting, configCommand("set", args...))
	if err != nil {
		return err
	}
	if err := c.agrees(setting, scope, path, value, "set", " VALUE"); err != nil {
		return err
	}
	changed, err := settings.Set(ctx, scope, path, setting, args[1])
	if err != nil {
		return err
	}
	is, _ := settings.Read(scope, path).Get(setting.Key)
	if !c.json && changed {
		c.print("Set %s to %s in %s\n", setting.Key, text.Line(is.String()), text.Line(path))
	} else if !c.json {
		c.print("Unchanged: %s is %s in %s\n", setting.Key, text.Line(is.String()), text.Line(path))
	}
	return c.changed(ctx, changed, setting, scope)
}

// agrees refuses others to change a setting with which a person agrees to something: one that
// no project can set, what runs in all of the user's clones and is copied there, or the board
// that counts there. It refuses agents what runs for a project, too. A project's required check
// is taken away by a person only.
func (c *config) agrees(setting *settings.Setting, scope settings.Scope, path string, to any, action, value string) error {
	runs := setting.Key == "run.setup" || setting.Key == "run.copy"
	everywhere := scope == settings.User && (runs || setting.Key == "board")
	switch {
	case !setting.Allows(scope):
		return nil // it cannot be set there
	case !setting.Allows(settings.Project), everywhere, setting.Key == "checks" && fewerChecks(scope, path, to):
	case !runs || c.caller().Person:
		return nil
	}
	return c.consents("change "+setting.Key, "pawl config "+action+" "+setting.Key+value+" --scope "+scope.String())
}

// fewerChecks reports whether a file's checks, of which one is required, would not be among others.
func fewerChecks(scope settings.Scope, path string, to any) bool {
	value, _ := settings.Read(scope, path).Get("checks")
	was, _ := value.Is.([]pawl.CheckRule)
	now, _ := to.([]pawl.CheckRule)
	return slices.ContainsFunc(was, func(old pawl.CheckRule) bool {
		return !old.Optional && !slices.ContainsFunc(now, func(is pawl.CheckRule) bool {
			return !is.Optional && is.Sum() == old.Sum() && slices.Equal(is.Labels, old.Labels)
		})
	})
}

func (c *config) unset(ctx context.Context, args []string) error {
	setting, err := settingOf(args, "unset")
	if err != nil {
		return err
	}
	scope, path, err := c.target(setting, configCommand("unset", args...))
	if err != nil {
		return err
	}
	if err := c.agrees(setting, scope, path, nil, "unset", ""); err != nil {
		return err
	}
	changed, err := settings.Unset(ctx, scope, path, setting)
	if err != nil {
		return err
	}
	if !c.json && changed {
		c.print("Unset %s in %s\n", setting.Key, text.Line(path))
	} else if !c.json {
		c.print("Unchanged: %s is not set in %s\n", setting.Key, text.Line(path))
	}
	return c.changed(ctx, changed, setting, scope)
}

// makeFolder makes the folder of a project's settings where the board is at an
// address, or shall be: there no first task makes it.
func (c *config) makeFolder(ctx context.Context, setting *settings.Setting, value string) error {
	scope, _ := c.scope(settings.Project)
	own, err := c.project().Own()
	if err != nil || own.Exists || own.Source != project.Folder || scope != settings.Project || !setting.Allows(scope) {
		return nil // what is wrong with it, target says
	}
	if setting.Key != "board" || !address.Is(value) {
		if board, err := c.project().Board(); err != nil || board.Source != project.Joined {
			return nil
		}
	}
	made, err := c.makeBoard(ctx, Making{Dir: own.Dir, Agent: c.agentName()})
	if err != nil {
		return err
	}
	c.project().Again()
	c.say("made the folder of the project's settings, %s%s", text.Line(own.Dir), gitClause(made))
	return nil
}

// target is the file that a change goes to. A project's is taken only from a
// board that can be opened: not through a link that leads out of its folder.
func (c *config) target(setting *settings.Setting, command string) (settings.Scope, string, error) {
	scope, _ := c.scope(settings.Project)
	path, err := c.settingsFile(scope)
	if e, ok := err.(*pawl.Error); ok && c.word == "" && !c.user && e.Kind == pawl.NotFound {
		e.Message = "no board exists here to set " + setting.Key + " for"
		e.Hint.Text = command + " --user"
	}
	if err == nil && scope == settings.Project {
		c.board, err = c.env.Boards.Open(project.InFolder(filepath.Dir(path)))
	}
	return scope, path, err
}

// changed tells what holds after a change, where that is another value than one
// would think.
func (c *config) changed(ctx context.Context, changed bool, setting *settings.Setting, scope settings.Scope) error {
	if place, err := c.place(); changed && scope == settings.Project && err == nil && place.Exists && place.Dir != "" {
		_ = c.env.Boards.KeepOut(ctx, place.Dir) // the setting is written, as a commit would be
	}
	files, err := c.settingsFiles()
	if err != nil {
		return err
	}
	value := settings.Merge(files...).Get(setting.Key)
	if c.json {
		return c.printConfig(changed, files, value)
	}
	switch {
	case value.Origin.Scope > scope:
		c.say("%s is still %s: the %s's file overrides it", setting.Key, value, value.Origin.Scope)
	case setting.Key == "board" && value.Origin.Scope == settings.Project && address.Is(value.String()):
		var j joining
		if at, err := address.Parse(value.String()); err == nil {
			known, _ := credentials.Find(c.env.Getenv, at)
			j.cert = known.Cert
		}
		c.say("each clone uses it after: %s", c.asPerson(j.line()))
	case setting.Key == "board" && value.Origin.Scope == settings.Project:
		c.say("Pawl uses it only where a person trusts it: %s", c.asPerson("pawl trust"))
	}
	return nil
}

func (c *config) path(context.Context, []string) error {
	files, err := c.files()
	if err != nil {
		return err
	}
	if c.json {
		return c.printConfig(false, files)
	}
	if scope, _ := c.scope(settings.Default); scope != settings.Default {
		c.print("%s\n", text.Line(files[0].Path)) // for an editor
		return nil
	}
	for _, f := range files {
		there := ""
		if !f.Exists {
			there = " (not there)"
		}
		c.print("%-9s%s%s\n", f.Scope, text.Line(f.Path), there)
	}
	return nil
}
