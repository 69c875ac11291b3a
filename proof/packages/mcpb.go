package main

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// The bundle is a zip that a desktop client installs with a double click:
//
//	manifest.json
//	server/pawl-darwin    both processors in one, because a bundle knows systems only
//	server/pawl-linux     amd64
//	server/pawl.exe       amd64, which Windows on arm64 runs, too
//
// The client starts a server in no folder of the user's, so the manifest asks for the
// project and passes it on. packaging/mcpb has the manifest.

// bundle writes the bundle to a path.
func (r release) bundle(path string) error {
	fat, err := universal(r.binaries[platform{"darwin", "amd64"}], r.binaries[platform{"darwin", "arm64"}])
	if err != nil {
		return err
	}
	manifest, err := r.filled(r.version, "mcpb", "manifest.json")
	if err != nil {
		return err
	}
	files := []bundled{{"manifest.json", 0o644, manifest}, {"server/pawl-darwin", 0o755, fat}}
	for name, from := range map[string]string{
		"LICENSE":           r.root + "/LICENSE",
		"server/pawl-linux": r.binaries[platform{"linux", "amd64"}],
		"server/pawl.exe":   r.binaries[platform{"windows", "amd64"}],
	} {
		content, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		mode := os.FileMode(0o755)
		if name == "LICENSE" {
			mode = 0o644
		}
		files = append(files, bundled{name, mode, content})
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := writeZip(f, files); err != nil {
		f.Close()
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.Close()
}

type bundled struct {
	name    string
	mode    os.FileMode
	content []byte
}

// zipTime is the time of all files in the bundle: the same binaries give the same
// bytes, whose hash the registry has.
var zipTime = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

func writeZip(to io.Writer, files []bundled) error {
	slices.SortFunc(files, func(a, b bundled) int { return strings.Compare(a.name, b.name) })
	z := zip.NewWriter(to)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: zipTime}
		h.SetMode(f.mode)
		w, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := w.Write(f.content); err != nil {
			return err
		}
	}
	return z.Close()
}
