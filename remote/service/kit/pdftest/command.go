package pdftest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// Command returns the command that starts PDF workers in tests: nil for the test's
// own program. If the test has the race detector, Command builds a worker without
// it: the detector would make PDFium, a single thread, twenty times slower.
var Command = sync.OnceValue(func() []string {
	if !race {
		return nil
	}
	program, err := buildWorker()
	if err != nil {
		panic(err) // fails the test
	}
	return []string{program}
})

// Cache returns a directory for compiled code that all tests of a user share: compiling it
// takes seconds.
func Cache() string { return kept("paperfs-test-pdf") }

// kept returns a directory below the user's cache directory, if there is one.
func kept(name string) string {
	if noCache != nil {
		return filepath.Join(os.TempDir(), name)
	}
	return filepath.Join(cache, name)
}

// The environment at the start of the program: tests change it later.
var (
	environment    = os.Environ()
	cache, noCache = os.UserCacheDir()
)

// buildWorker builds the worker in a fresh directory and renames it into place: other
// tests may be running the earlier program.
func buildWorker() (string, error) {
	dir := kept("paperfs-test-worker")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	fresh, err := os.MkdirTemp(dir, "")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(fresh)
	made, program := filepath.Join(fresh, "worker"), filepath.Join(dir, "worker")
	build := exec.Command("go", "build", "-o", made, "paperfs/remote/service/kit/pdftest/testdata/worker")
	build.Env = environment
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the PDF worker: %w\n%s", err, out)
	}
	return program, os.Rename(made, program)
}
