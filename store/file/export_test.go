package file

import "github.com/pawl-dev/pawl"

// Brief makes a store begin a new segment of its journal with every record, and
// forget all but the latest three.
func Brief(s *Store) { s.size, s.day, s.keep = 1, -1<<40, 3 }

// Long makes a store begin a new segment of its journal after so many bytes, and
// forget none.
func Long(s *Store, size int64) { s.size, s.keep = size, 1<<20 }

// StatAll stats the files of tasks 1 to n, and does nothing else.
func StatAll(dir string, n int) error {
	return newFS(dir).StatEach(n,
		func(i int, buf []byte) []byte { return appendTaskName(buf, pawl.ID(i+1)) },
		func(int, fileInfo) {})
}
