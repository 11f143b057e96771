package mountpoint

import (
	"path/filepath"
	"strings"
)

// MustNotCover refuses a mount that would hide dir, a directory in which the mount keeps
// its own files: the mount would then look for them inside itself. Neither dir nor its
// parents need to exist.
func (p Place) MustNotCover(dir string) error {
	real, err := resolve(dir)
	if err != nil {
		return unusable("%s cannot be used: %v", dir, err)
	}
	if real == p.Dir || strings.HasPrefix(real, strings.TrimSuffix(p.Dir, "/")+"/") {
		return unusable("%s would hide %s, where the mount keeps its own files. Choose another directory", p.Dir, dir)
	}
	return nil
}

// resolve makes a path absolute and follows the symlinks in the part that exists.
func resolve(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	missing := ""
	for {
		real, err := filepath.EvalSymlinks(abs)
		if err == nil {
			return filepath.Join(real, missing), nil
		}
		parent := filepath.Dir(abs)
		if parent == abs {
			return "", err
		}
		missing, abs = filepath.Join(filepath.Base(abs), missing), parent
	}
}
