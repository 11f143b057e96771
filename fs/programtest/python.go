package programtest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// pythonFirst puts the directory of the interpreter before the others of a PATH whose python3 is a
// script. That of a version manager starts twenty programs before the interpreter, which costs more
// than a test.
func pythonFirst(path string) string {
	if found, err := exec.LookPath("python3"); err == nil {
		if dir := interpreters(found); dir != "" {
			return dir + string(os.PathListSeparator) + path
		}
	}
	return path
}

var directories sync.Map // by the path of a python3

// interpreters returns the directory of the interpreter that a script python3 starts, and "" for
// another program.
func interpreters(python string) string {
	if known, ok := directories.Load(python); ok {
		return known.(string)
	}
	dir := ""
	if isScript(python) {
		if out, err := exec.Command(python, "-c", "import sys; print(sys.executable)").Output(); err == nil {
			if executable := strings.TrimSpace(string(out)); filepath.Base(executable) == "python3" {
				dir = filepath.Dir(executable)
			}
		}
	}
	directories.Store(python, dir)
	return dir
}

func isScript(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	first := make([]byte, 2)
	_, _ = f.Read(first) // a shorter file is no script
	return bytes.Equal(first, []byte("#!"))
}
