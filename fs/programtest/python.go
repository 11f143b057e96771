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
	if !slices.ContainsFunc(dirs, hasPython) {
		return path
	}
	return strings.Join(slices.DeleteFunc(dirs, func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, "python3"))
		return err == nil && !hasPython(dir)
	}), ":")
}

func hasPython(dir string) bool {
	f, err := elf.Open(filepath.Join(dir, "python3"))
	return err == nil && f.Close() == nil
}
