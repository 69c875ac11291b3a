package file

import "github.com/pawl-dev/pawl"

// StatAll stats the files of tasks 1 to n, and does nothing else.
func StatAll(dir string, n int) error {
	return newFS(dir).StatEach(n,
		func(i int, buf []byte) []byte { return appendTaskName(buf, pawl.ID(i+1)) },
		func(int, Info) {})
}
