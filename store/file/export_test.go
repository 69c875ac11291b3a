package file

// Brief makes a store begin a new segment of its journal with every record, and
// forget all but the latest three.
func Brief(s *Store) { s.size, s.day, s.keep = 1, -1<<40, 3 }

// Long makes a store begin a new segment of its journal after so many bytes, and
// forget none.
func Long(s *Store, size int64) { s.size, s.keep = size, 1<<20 }
