package filelock

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// Rename is os.Rename with patience for a file that another process has open; see
// [Patiently].
func Rename(from, to string) error {
	return Patiently(func() error { return os.Rename(from, to) })
}

// Write replaces a file of the user alone, so that a reader sees all of it or what was
// before. It does not wait for the disk. Until then the text is beside it in .new-*.
func Write(path string, text []byte) error { return write(path, text, false) }

// Keep is [Write] that returns once the file outlasts a power cut.
func Keep(path string, text []byte) error { return write(path, text, true) }

func write(path string, text []byte, synced bool) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".new-*") // 0600
	if err != nil {
		return err
	}
	HandOver(file.Name())
	if _, err = file.Write(text); err == nil && synced {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = Rename(file.Name(), path)
	}
	if err != nil {
		os.Remove(file.Name())
	} else if synced {
		err = SyncFolder(filepath.Dir(path))
	}
	return err
}

// SyncFolder brings the names in a folder to the disk. Windows has no such call.
func SyncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// Read reads a file of at most so many bytes.
func Read(path string, most int64) ([]byte, bool) {
	var file *os.File
	err := Patiently(func() (err error) {
		file, err = os.Open(path)
		return err
	})
	if err != nil {
		return nil, false
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	return text, err == nil && int64(len(text)) <= most
}
