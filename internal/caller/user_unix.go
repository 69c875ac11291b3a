//go:build unix

package caller

import (
	"os"
	"strconv"
)

func userID() string { return "uid-" + strconv.Itoa(os.Getuid()) }
