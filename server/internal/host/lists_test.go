package host

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo"
)

// The lists of a token outlive the server, and no other token and no other board has them.
func TestListsOfTokens(t *testing.T) {
	dir, board := t.TempDir(), pawl.NewBoard(memory.New())
	serve := func(name string) (toolsTester, func()) {
		faces := NewFaces("1.2.3", nil, nil, dir, slog.New(slog.DiscardHandler))
		_, tools := faces.Of(name, func(ctx context.Context, _ bool) (query.Board, error) {
			token, _ := access.Of(ctx)
			return access.Guard(query.Local(board), token, time.Now), nil
		})
		return toolsTester{t, tools, access.Work}, faces.Close
	}
	write := func(tools toolsTester, name string) {
		tools.call(name, tools.begin(name), "todo_write", `{"todos":[{"content":"Of `+name+`","status":"pending"}]}`)
	}
	tools, closed := serve("shop")
	write(tools, "ada")
	closed()
	lists := func(board, token string) string {
		heads := must.Get((&Faces{lists: dir}).todos(board, access.Token{ID: "id-" + token}).Sessions(t.Context(), ""))(t)
		var titles []string
		for _, h := range heads {
			titles = append(titles, h.Title)
		}
		return strings.Join(titles, ", ")
	}
	if lists("shop", "ada") != "Of ada" || lists("shop", "bob") != "" || lists("blog", "ada") != "" {
		t.Errorf("ada has %q, bob %q, and on another board ada %q", lists("shop", "ada"), lists("shop", "bob"), lists("blog", "ada"))
	}
}

// A client that begins lists without end loses its oldest, and the newest stays.
func TestMostLists(t *testing.T) {
	service := (&Faces{lists: t.TempDir()}).todos("shop", access.Token{ID: "ada"})
	for i := range mostLists + 3 {
		draft := must.Get(todo.Decode(fmt.Appendf(nil, `[{"content":"%d","status":"pending"}]`, i), false))(t)
		if _, err := service.Write(t.Context(), todo.Key{Session: fmt.Sprint("s", i)}, draft, todo.Writing{}); err != nil {
			t.Fatal(err)
		}
	}
	heads, err := service.Sessions(t.Context(), "")
	if err != nil || len(heads) != mostLists || heads[0].Title != fmt.Sprint(mostLists+2) {
		t.Errorf("%d lists, %v", len(heads), err)
	}
}
