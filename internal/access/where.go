package access

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/rewrite"
)

// folder is what a server keeps its own things in, within the folder of its boards.
const folder = ".pawl-server"

// Folder is the server's own folder, in the folder of its boards.
func Folder(boards string) string { return filepath.Join(boards, folder) }

// A Where is how others reach a server.
type Where struct {
	Origin string // https://host:7350
	Cert   string // the SHA-256 of its certificate in hex, if no authority has signed that
}

// Join is the command that joins a board of the server, whose token it asks for.
func (w Where) Join(board string) string {
	command := "pawl join " + address.Address{Origin: w.Origin, Board: board}.String()
	if w.Cert != "" {
		command += " --cert sha256:" + w.Cert
	}
	return command
}

// String is the place in a line:
//
//	https://pawl.example.org:7350 sha256:9f2c…
func (w Where) String() string {
	if w.Cert == "" {
		return w.Origin
	}
	return w.Origin + " sha256:" + w.Cert
}

// ParseWhere reads such a line; zero: it is not one.
func ParseWhere(line string) Where {
	origin, cert, _ := strings.Cut(strings.TrimSpace(line), " ")
	at, err := address.Parse(origin + "/boards/x")
	if err != nil || strings.ContainsFunc(cert, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return Where{}
	}
	return Where{at.Origin, strings.TrimPrefix(cert, "sha256:")}
}

// Tell keeps in a server's own folder where it is, for the commands that tell others.
func (w Where) Tell(dir string) error {
	return rewrite.Replace(filepath.Join(dir, "address"), func(out io.Writer) error {
		_, err := io.WriteString(out, w.String()+"\n")
		return err
	})
}

// Find returns where the server of this folder ran last; zero: it is not known.
func Find(dir string) Where {
	info, err := os.Lstat(filepath.Join(dir, "address"))
	const most = 1 << 10
	if err != nil || info.Mode()&fs.ModeType != 0 || info.Size() > most {
		return Where{}
	}
	text, err := os.ReadFile(filepath.Join(dir, "address"))
	if err != nil {
		return Where{}
	}
	return ParseWhere(string(text))
}

// Boards returns the folder of a server's boards: the named one, or else this one if
// it is such.
func Boards(named, here string) (string, error) {
	if named != "" {
		dir := named
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(here, dir)
		}
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return "", pawl.Errorf(pawl.NotFound, "the folder of boards %s does not exist", named)
		}
		return dir, nil
	}
	if info, err := os.Lstat(Folder(here)); here != "" && err == nil && info.IsDir() {
		return here, nil
	}
	return "", pawl.Errorf(pawl.Invalid, "tokens are for a server: say which, by the folder of its boards or its database").
		Say("add --boards DIR, or --store ADDRESS")
}
