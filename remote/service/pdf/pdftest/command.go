package pdftest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// Command is what starts PDF workers in tests: nil, for the test's own program,
// but a program without race detector where the test has it, which would make
// PDFium (a single thread) twenty times slower.
var Command = sync.OnceValue(func() []string {
	if !race {
		return nil
	}
	program, err := buildWorker()
	if err != nil {
		panic(err) // of a test
	}
	return []string{program}
})

// What the program was started with: tests change the environment.
var (
	environment    = os.Environ()
	cache, noCache = os.UserCacheDir()
)

// buildWorker puts the program where others may be running an earlier one.
func buildWorker() (string, error) {
	dir := filepath.Join(cache, "paperfs-test-worker")
	if noCache != nil {
		dir = filepath.Join(os.TempDir(), "paperfs-test-worker")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	fresh, err := os.MkdirTemp(dir, "")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(fresh)
	made, program := filepath.Join(fresh, "worker"), filepath.Join(dir, "worker")
	build := exec.Command("go", "build", "-o", made, "paperfs/remote/service/pdf/pdftest/worker")
	build.Env = environment
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the PDF worker: %w\n%s", err, out)
	}
	return program, os.Rename(made, program)
}
