package programtest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// pythonFirst puts a directory with nothing but a python3 before the others of a PATH. It is the
// interpreter that the PATH has, without the packages of the machine: the tests use none, and some
// packages run at each start and cost more than the script. A version manager's python3, which is a
// script, starts twenty programs first.
func pythonFirst(path string) string {
	found, err := exec.LookPath("python3")
	if err != nil {
		return path
	}
	known, _ := pythons.LoadOrStore(found, sync.OnceValue(func() string { return bareOf(found) }))
	if dir := known.(func() string)(); dir != "" {
		return dir + string(os.PathListSeparator) + path
	}
	return path
}

var pythons sync.Map // functions that return the directory, by the path of a python3

// The user's cache directory when the tests start: a test sets another home.
var cache, noCache = os.UserCacheDir()

// bareOf returns the directory of the bare python3 for another one; "" if there can be none. Tests of
// a user share it.
func bareOf(python string) string {
	out, err := exec.Command(python, "-c", "import sys; print(sys.executable)").Output()
	interpreter := strings.TrimSpace(string(out))
	if err != nil || noCache != nil || !filepath.IsAbs(interpreter) {
		return ""
	}
	name := sha256.Sum256([]byte(interpreter))
	dir := filepath.Join(cache, "paperfs-test-python", hex.EncodeToString(name[:8]))
	if _, err := os.Stat(dir); err != nil && makeBare(dir, interpreter) != nil {
		return ""
	}
	return dir
}

// makeBare makes a virtual environment of Python, without what nobody starts.
func makeBare(dir, interpreter string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), "")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	settings := "home = " + filepath.Dir(interpreter) + "\ninclude-system-site-packages = false\n"
	err = errors.Join(os.Symlink(interpreter, filepath.Join(fresh, "python3")), os.WriteFile(filepath.Join(fresh, "pyvenv.cfg"), []byte(settings), 0o600))
	if err != nil {
		return err
	}
	if err := os.Rename(fresh, dir); err != nil && !errors.Is(err, os.ErrExist) { // others made it meanwhile
		return err
	}
	return nil
}
