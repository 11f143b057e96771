package programtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// pythonFirst puts the directory of the interpreter that python3 is before the others of a PATH. A version
// manager's python3 is a script, which starts twenty programs first.
func pythonFirst(path string) string {
	found, err := exec.LookPath("python3")
	if err != nil {
		return path
	}
	known, _ := interpreters.LoadOrStore(found, sync.OnceValue(func() string { return interpreterOf(found) }))
	if dir := filepath.Dir(known.(func() string)()); dir != "." && dir != filepath.Dir(found) {
		return dir + string(os.PathListSeparator) + path
	}
	return path
}

var interpreters sync.Map // functions that return the interpreter, by the path of a python3

// interpreterOf returns the path of the interpreter that a python3 starts; "" if it starts none.
func interpreterOf(python string) string {
	out, err := exec.Command(python, "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
