//go:build unix && !(linux && (amd64 || arm64))

package file

import "golang.org/x/sys/unix"

// statBytes stats a name that ends with a zero byte.
func statBytes(dir int, name []byte) (fileInfo, error) {
	var st unix.Stat_t
	err := again(func() error {
		return unix.Fstatat(dir, string(name[:len(name)-1]), &st, unix.AT_SYMLINK_NOFOLLOW)
	})
	if err != nil {
		return fileInfo{}, err
	}
	return infoOf(&st), nil
}
