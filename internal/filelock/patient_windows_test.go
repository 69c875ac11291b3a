package filelock

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestPatiently(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "from"), filepath.Join(t.TempDir(), "to")
	for _, path := range []string{from, to} {
		if err := os.WriteFile(path, []byte(path), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	reader, err := os.Open(to)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	tries := 0
	err = Patiently(func() error {
		if tries++; tries == 30 {
			reader.Close()
		}
		return os.Rename(from, to)
	})
	if err != nil || tries != 30 {
		t.Errorf("replaced after %d tries, with %v: a reader had it open during 29", tries, err)
	}

	tries = 0
	err = Patiently(func() error {
		tries++
		_, err := os.Stat(from)
		return err
	})
	if !errors.Is(err, fs.ErrNotExist) || tries != 1 {
		t.Errorf("a file that is not there was looked for %d times: %v", tries, err)
	}
}
