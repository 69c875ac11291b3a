//go:build unix

package caller

import (
	"os"
	"strconv"
	"strings"
)

// userID names the user where the environment does not. It reads /etc/passwd
// itself: os/user would bring in the C library where there is one.
func userID() string {
	id := strconv.Itoa(os.Getuid())
	users, _ := os.ReadFile("/etc/passwd")
	for line := range strings.Lines(string(users)) { // ada:x:1000:1000:Ada:/home/ada:/bin/sh
		if fields := strings.Split(line, ":"); len(fields) > 2 && fields[2] == id && fields[0] != "" {
			return fields[0]
		}
	}
	return "uid-" + id
}
