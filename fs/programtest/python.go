package programtest

import (
	"debug/elf"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// withoutScripts returns a PATH without the directories whose python3 is a script, as a version manager's, if another
// one has the program. Such a script starts twenty programs, and the version that it finds may import packages at
// each start: tests start Python hundreds of times.
func withoutScripts(path string) string {
	dirs := filepath.SplitList(path)
	if !slices.ContainsFunc(dirs, func(dir string) bool { return isProgram(filepath.Join(dir, "python3")) }) {
		return path
	}
	return strings.Join(slices.DeleteFunc(dirs, func(dir string) bool {
		python := filepath.Join(dir, "python3")
		_, err := os.Stat(python)
		return err == nil && !isProgram(python)
	}), string(os.PathListSeparator))
}

func isProgram(path string) bool {
	f, err := elf.Open(path)
	if err != nil {
		return false
	}
	return f.Close() == nil
}
