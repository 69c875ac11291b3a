package cli

import (
	"context"
	"reflect"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/internal/credentials"
	"github.com/pawl-dev/pawl/internal/project"
	server "github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// tokenName is what the server calls the caller on a board at an address, where no
// other name counts; empty: the board is in a folder, or the server is not known.
func (a *app) tokenName() string {
	place, err := a.project().Board()
	if err != nil || !place.Served() {
		return ""
	}
	known, err := credentials.Find(a.env.Getenv, place.Address)
	if err != nil {
		return "" // opening the board says it
	}
	if !known.Environment && a.env.Getenv("PAWL_TOKEN") != "" {
		a.once("PAWL_TOKEN has no effect: it counts for the address in PAWL_BOARD")
	}
	name := known.Name
	if name == "" {
		board, err := a.open()
		if err != nil {
			return ""
		}
		if distant, ok := asDistant(board); ok {
			name = distant.Name()
		}
	}
	for _, other := range []struct{ said, name string }{{"--as", a.asked()}, {caller.EnvName, a.env.Getenv(caller.EnvName)}} {
		if other.name != "" && other.name != name && name != "" {
			a.once("%s has no effect on a board at an address: by your token you are %s there", other.said, text.Line(name))
		}
	}
	return name
}

// readsOnly is what the holder of a token for reading can do on an empty board.
const readsOnly = "wait for the first task, as your token can only read"

// reads reports whether the caller's token for a board at an address can only read it.
func (a *app) reads() bool {
	place, err := a.project().Board()
	if err != nil || !place.Served() {
		return false
	}
	known, err := credentials.Find(a.env.Getenv, place.Address)
	return err == nil && known.Reads()
}

// asDistant is a board as one at an address, behind what the command line puts before
// it.
func asDistant(board query.Board) (query.Distant, bool) {
	if opened, ok := board.(openedBoard); ok {
		board = opened.Board
	}
	distant, ok := board.(query.Distant)
	return distant, ok
}

// needsFolder refuses a verb that works on the files of a board, at an address, and says
// what to do there.
func (a *app) needsFolder(place *project.Board, does, instead string) error {
	if !place.Distant() {
		return nil
	}
	return pawl.Errorf(pawl.Invalid, "%s, and this board is on a server: %s", does, place.Address).Say(instead)
}

// whereOf says where a board is: "in /src/shop/.tasks", "at https://host/boards/shop".
func whereOf(place *project.Board) string {
	if place.Distant() {
		return "at " + place.Address.String()
	}
	return "in " + text.Line(place.Dir)
}

// nameOf is what a person calls the project of a board: its folder, or its name on
// the server.
func nameOf(place *project.Board) string {
	if place.Distant() {
		return place.Address.Board
	}
	return projectName(place.Dir)
}

// tellAged says that an answer was given earlier:
//
//	pawl: as of 13:58:07: https://host does not answer since 14:02:11
func (a *app) tellAged(board query.Board, given time.Time) {
	if a.asOf.IsZero() || given.Before(a.asOf) {
		a.asOf = given
	}
	if a.brief || len(a.told) > 0 && a.told[agedNote] {
		return
	}
	if a.told == nil {
		a.told = map[string]bool{}
	}
	a.told[agedNote] = true
	origin, since := "the server", ""
	if place, err := a.project().Board(); err == nil && place.Distant() {
		origin = place.Address.Origin
	}
	if distant, ok := asDistant(board); ok && !distant.Away().IsZero() {
		since = " since " + server.Clock(distant.Away())
	}
	a.say("as of %s: %s does not answer%s", server.Clock(given), origin, since)
}

// tellAway says, while a command waits for news, when the server of a board stops
// answering and when it answers again, until it is told to end.
func (a *app) tellAway(ctx context.Context, board query.Board) (end func()) {
	distant, ok := asDistant(board)
	place, err := a.project().Board()
	if !ok || err != nil {
		return func() {}
	}
	ctx, end = context.WithCancel(ctx)
	go func() {
		look := time.NewTicker(time.Second)
		defer look.Stop()
		for gone := false; ; {
			select {
			case <-ctx.Done():
				return
			case <-look.C:
			}
			switch away := distant.Away(); {
			case !gone && !away.IsZero():
				a.say("%s does not answer since %s; waiting for it", place.Address.Origin, server.Clock(away))
			case gone && away.IsZero():
				a.say("%s answers again", place.Address.Origin)
			}
			gone = !distant.Away().IsZero()
		}
	}()
	return end
}

// agedNote stands among what was told for what [app.tellAged] says.
const agedNote = "as of"

// aged is an envelope that says when its content was so.
func aged(v any, asOf time.Time) any {
	from := reflect.Indirect(reflect.ValueOf(v))
	if from.Kind() != reflect.Struct {
		return v
	}
	to := reflect.New(from.Type()).Elem()
	to.Set(from)
	if envelope := to.FieldByName("Envelope"); envelope.IsValid() && envelope.Type() == reflect.TypeFor[wire.Envelope]() {
		envelope.FieldByName("AsOf").SetString(string(wire.Time(asOf)))
	}
	return to.Interface()
}

// fixedName is what every caller of a server is called: by the token of a board at an
// address, else as --as says; empty: it is found out for each call.
func (a *app) fixedName() string {
	if name := a.tokenName(); name != "" {
		return name
	}
	return a.asked()
}
