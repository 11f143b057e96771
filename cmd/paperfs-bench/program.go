package main

import (
	"os"
	"os/exec"
	"path/filepath"
)

// findPaperfs returns the given program, or else the one beside this program, or else the one
// on the PATH, or "".
func findPaperfs(given string) (string, error) {
	if given != "" {
		path, err := filepath.Abs(given)
		if err == nil {
			_, err = os.Stat(path)
		}
		return path, err
	}
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), "paperfs")
		if _, err := os.Stat(beside); err == nil {
			return beside, nil
		}
	}
	return lookPath("paperfs"), nil
}

// lookPath returns the path of a program, or "" if it is not installed.
func lookPath(program string) string {
	path, err := exec.LookPath(program)
	if err != nil {
		return ""
	}
	return path
}
