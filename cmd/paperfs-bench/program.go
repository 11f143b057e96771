package main

import (
	"os"
	"os/exec"
	"path/filepath"
)

// findPaperfs is the program given, else that beside this one, else that on
// the PATH; "" for none.
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

// lookPath is the path of a program; "" where it is not installed.
func lookPath(program string) string {
	path, err := exec.LookPath(program)
	if err != nil {
		return ""
	}
	return path
}
