// Site makes the website from README.md and docs/:
//
//	go -C tools run ./site -out DIR
//
// Each page of [contents] becomes one HTML page that needs no script. Links
// between pages lead to the site, links to other files of the repository to
// where it is hosted. The program fails if a link or an anchor leads nowhere, or
// if a page of docs/ is missing in the contents.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	root := flag.String("root", "..", "`folder` of the repository")
	out := flag.String("out", "", "write the site into this `folder`, which is made or must be empty")
	flag.Parse()
	if err := run(*root, *out); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

func run(root, out string) error {
	if out == "" {
		return errors.New("give the folder to write into: -out DIR")
	}
	s, err := load(root, contents)
	if err != nil {
		return err
	}
	files, err := s.files()
	if err != nil {
		return err
	}
	if entries, err := os.ReadDir(out); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty", out) // old pages would be published with the new ones
	}
	for _, f := range files {
		path := filepath.Join(out, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.content, 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%d pages, %d files: %s\n", len(s.pages), len(files), out)
	return nil
}
