//go:build !windows

package mustrun

// UnderWine reports whether Wine runs this program instead of Windows.
func UnderWine() bool { return false }

func noLinks(error) bool { return false }
