package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
	"paperfs/remote/service/kit/temporary"
	"paperfs/remote/testrun"
)

// programName is the name under which the test binary is the program.
const programName = "paperfs"

// program is the path of the program, which is the test binary; tests run it as its users do.
var program string

func TestMain(m *testing.M) {
	if programtest.IsSelf(programName) {
		main()
		return
	}
	temporary.InMemory()
	testrun.ShortWithout(notShort...)
	testrun.SideBySide(8)
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "paperfs-cli-")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		if program, err = programtest.PutSelf(dir, programName); err != nil {
			fmt.Fprintf(os.Stderr, "the program cannot be put into %s: %v\n", dir, err)
			return 1
		}
		return m.Run()
	}())
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

// built returns the program as packages have it: it needs no library.
func built(t *testing.T) string {
	t.Helper()
	path, err := build()
	require.NoError(t, err, "the program is not built: %s", path)
	return path
}

var build = sync.OnceValues(func() (string, error) {
	path := filepath.Join(filepath.Dir(program), "built", programName)
	cmd := exec.Command("go", "build", "-o", path, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return string(out), err
	}
	return path, nil
})
