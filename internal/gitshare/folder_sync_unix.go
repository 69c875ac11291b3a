//go:build unix

package gitshare

import "os"

// syncFolder lets what was renamed in a folder outlast a power cut.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
