package discover

import "path/filepath"

// Project returns the folder of the project that somebody in dir works on: the
// one that its board is in or would be, without symbolic links. What is
// remembered of sessions in a project is remembered under it.
func Project(dir string) (string, error) {
	place, err := Board(dir, "")
	if err != nil {
		return "", err
	}
	project := filepath.Dir(place.Dir)
	if real, err := filepath.EvalSymlinks(project); err == nil {
		project = real
	}
	return project, nil
}
