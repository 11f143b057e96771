package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// programName is the name under which the test binary is the program.
const programName = "paperfs"

// program is the path of the program; tests run it as its users do. It is the test binary, which has
// all of the program in it, under the program's name: so nothing is linked a second time.
var program string

func TestMain(m *testing.M) {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	if filepath.Base(self) == programName {
		main()
		return
	}
	testrun.SideBySide(8)
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "paperfs-cli-")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		program = filepath.Join(dir, programName)
		if err := linkOrCopy(self, program); err != nil {
			fmt.Fprintf(os.Stderr, "the program cannot be put into %s: %v\n", dir, err)
			return 1
		}
		return m.Run()
	}())
}

// linkOrCopy makes a program appear at another path too. A symbolic link would not do: a program finds
// itself by the path of its file.
func linkOrCopy(from, to string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if closed := out.Close(); err == nil {
		err = closed
	}
	return err
}

// plain returns the program without the race detector, with which PDFium (a single thread) is twenty
// times slower.
func plain(t *testing.T) string {
	t.Helper()
	if !raceDetector {
		return program
	}
	return built(t)
}

// built returns the program as users build it.
func built(t *testing.T) string {
	t.Helper()
	path, err := build()
	require.NoError(t, err, "the program is not built: %s", path)
	return path
}

var build = sync.OnceValues(func() (string, error) {
	path := filepath.Join(filepath.Dir(program), "built", programName)
	out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput()
	if err != nil {
		return string(out), err
	}
	return path, nil
})
