package main

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// resolver returns what a link of page p becomes on the site. Pictures that it
// meets are added to the site's files.
func (s *site) resolver(p *page) func(string) (string, error) {
	return func(link string) (string, error) {
		if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") {
			return link, nil
		}
		file, anchor, _ := strings.Cut(link, "#")
		source := p.source
		if file != "" {
			source = path.Join(path.Dir(p.source), file)
		}
		if to := s.bySource[source]; to != nil {
			if anchor != "" && !to.anchors[anchor] {
				return "", fmt.Errorf("%s leads to a heading that is not there", link)
			}
			if anchor != "" {
				anchor = "#" + anchor
			}
			if file == "" {
				return anchor, nil
			}
			return to.name + anchor, nil
		}
		info, err := os.Stat(filepath.Join(s.root, filepath.FromSlash(source)))
		if err != nil || strings.HasPrefix(source, "..") {
			return "", fmt.Errorf("%s leads to a file that is not there", link)
		}
		switch path.Ext(source) {
		case ".svg", ".png":
			name := path.Base(source)
			if had := s.pictures[name]; had != "" && had != source {
				return "", fmt.Errorf("%s and %s have the same name", had, source)
			}
			s.pictures[name] = source
			return name, nil
		}
		if info.IsDir() {
			return strings.Replace(repository, "/blob/", "/tree/", 1) + source, nil
		}
		if anchor != "" {
			source += "#" + anchor
		}
		return repository + source, nil
	}
}

var picture = regexp.MustCompile(`(<(?:source|img)[^>]*? (?:srcset|src)=")([^"]*)"`)

// resolvePictures passes the pictures of a page through resolve, those of
// Markdown and those of raw HTML.
func resolvePictures(body []byte, resolve func(string) (string, error)) ([]byte, error) {
	var faults []error
	out := picture.ReplaceAllFunc(body, func(match []byte) []byte {
		parts := picture.FindSubmatch(match)
		to, err := resolve(string(parts[2]))
		if err != nil {
			faults = append(faults, err)
		}
		return []byte(string(parts[1]) + to + `"`)
	})
	return out, errors.Join(faults...)
}
