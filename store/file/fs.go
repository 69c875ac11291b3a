package file

import (
	"context"
	"errors"
	"io/fs"
)

// fileSystem is all that the store asks of the operating system, for the folder of one
// board. Names are relative to that folder and use slashes; "." is the folder itself.
// It follows no symbolic link, and opens only regular files. Errors wrap those of
// io/fs if one fits.
//
// Tests of this package replace it by one that fails, forgets unsynced data, or
// lets other programs act between two calls.
type fileSystem interface {
	// Hold announces several calls. Until release they may use the folder that was
	// at the path at the first of them or at the latest Lock.
	Hold() (release func())
	// Stat describes a name without opening it.
	Stat(name string) (fileInfo, error)
	// StatEach tells about count names of the folder, in order. name appends
	// the i-th to a buffer. A name that cannot be looked at has kindAbsent.
	StatEach(count int, name func(i int, buf []byte) []byte, got func(i int, info fileInfo)) error
	// List tells the names in a folder, in any order. A name is good until got
	// returns.
	List(dir string, got func(name []byte)) error
	// Read returns a regular file whole, and its info. A file that is larger than
	// limit, or changes while it is read, is an error.
	Read(name string, limit int64) ([]byte, fileInfo, error)
	// Create makes a file that was not there. Nothing is synced.
	Create(name string, data []byte) (fileInfo, error)
	// Open opens a file to read; with write also to append, and then it is made
	// when it is not there.
	Open(name string, write bool) (storeFile, error)
	// Mkdir makes a folder; an existing one is not an error.
	Mkdir(name string) error
	// Rename puts from in the place of to.
	Rename(from, to string) error
	// RenameNew is Rename, but fails with fs.ErrExist when there is a to.
	RenameNew(from, to string) error
	// Exchange swaps two names at one moment, or fails with
	// errors.ErrUnsupported.
	Exchange(a, b string) error
	// Remove removes a file.
	Remove(name string) error
	// Sync makes a file's content, or a folder's entries, survive a power cut.
	Sync(name string) error
	// SyncEach is Sync for several files, in whatever order. Files that no longer
	// exist do not count.
	SyncEach(names []string) error
	// SyncAll does so for everything in the board's file system.
	SyncAll() error
	// Lock waits for the lock on a file until ctx ends, which may have
	// happened before. It makes the file unless that would be a shared lock.
	// Locks of other processes count.
	Lock(ctx context.Context, name string, exclusive bool) (unlock func(), err error)
	// Boot names this run of the machine.
	Boot() string
	// Remote names the kind of file system when its locks may not reach
	// everybody who uses it, and is empty otherwise.
	Remote() string
	// GitBusy reports whether git is just changing the files of the tree that
	// the folder is in.
	GitBusy() bool
	// GitSees reports whether git sees the folder, as far as Pawl can hide it from
	// outside.
	GitSees() bool
	// Kin names the clone that the folder is in and its copies, and makes that name
	// where there is none. Empty: there is no git, or it cannot be written.
	Kin() string
	// IsOther reports whether a name that Kin gave is that of another clone. Where
	// that cannot be known, it is not.
	IsOther(kin string) bool
}

// A storeFile is an open file of the store's own.
type storeFile interface {
	ReadAt(p []byte, off int64) (int, error)
	// Write appends.
	Write(p []byte) (int, error)
	Truncate(size int64) error
	// Sync makes the content survive a power cut.
	Sync() error
	Stat() (fileInfo, error)
	Close() error
}

// fileKind says what stands at a name.
type fileKind uint8

// The kinds of directory entries. The store reads and writes regular files and
// folders.
const (
	kindAbsent fileKind = iota
	kindRegular
	kindFolder
	kindOther // a symbolic link, a pipe, a device
)

// fileInfo is what a stat tells. A file is taken to be unchanged while it is equal.
type fileInfo struct {
	Kind   fileKind
	Device uint64
	Inode  uint64
	Size   int64
	Mtime  int64 // nanoseconds since 1970, of the file system's own clock
	Ctime  int64
}

var (
	errMoved     = errors.New("it changed while it was read")
	errTooLarge  = errors.New("it is larger than 1 MiB")
	errIrregular = errors.New("it is not a regular file")
)

// absent reports whether err says that there is no such file.
func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) }
