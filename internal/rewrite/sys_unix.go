//go:build unix

package rewrite

import (
	"os"
	"path"

	"github.com/pawl-dev/pawl"
)

func rename(root *os.Root, from, to string) error { return root.Rename(from, to) }

// settle makes the new name survive a power cut.
func (f File) settle(root *os.Root) error {
	dir, err := root.Open(path.Dir(f.Name))
	if err == nil {
		err = dir.Sync()
		dir.Close()
	}
	if err != nil {
		return pawl.Errorf(pawl.Unavailable, "%s was changed, and may be as before after a power cut: %w", f.Path(), err)
	}
	return nil
}
