package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
	"paperfs/remote/testrun"
)

// programName is the name under which the test binary is the program.
const programName = "paperfs-bench"

// programs is the directory of the programs; tests run them as users do.
var programs string

func TestMain(m *testing.M) {
	if programtest.IsSelf(programName) {
		main()
		return
	}
	testrun.SideBySide(6)
	os.Exit(func() int {
		var err error
		if programs, err = os.MkdirTemp("", "paperfs-bench-programs-"); err != nil {
			panic(err)
		}
		defer os.RemoveAll(programs)
		return m.Run()
	}())
}

// program returns the path of paperfs-bench. Paperfs, which it measures, is beside it.
func program(t *testing.T) string {
	t.Helper()
	require.NoError(t, bothPrograms(), "the programs are not built")
	return filepath.Join(programs, programName)
}

// Go keeps a program that it runs in its cache: cp puts that one beside the other.
var bothPrograms = sync.OnceValue(func() error {
	if out, err := exec.Command("go", "run", "-exec=cp", "paperfs/cmd/paperfs", programs).CombinedOutput(); err != nil {
		return errors.New(string(out))
	}
	_, err := programtest.PutSelf(programs, programName)
	return err
})
