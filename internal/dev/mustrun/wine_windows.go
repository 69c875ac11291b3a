package mustrun

import (
	"errors"
	"sync"
	"syscall"
)

// UnderWine reports whether Wine runs this program instead of Windows. Only
// Wine's ntdll tells its version.
var UnderWine = sync.OnceValue(func() bool {
	return syscall.NewLazyDLL("ntdll.dll").NewProc("wine_get_version").Find() == nil
})

func noLinks(err error) bool {
	const privilegeNotHeld = syscall.Errno(1314)
	return errors.Is(err, privilegeNotHeld) || err == nil && UnderWine()
}
