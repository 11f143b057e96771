package localname

import (
	"fmt"
	"path"
	"strings"

	"paperfs/remote/rules"
)

// Names decides which names stay on this machine. The zero value uses Everywhere only.
type Names struct{ added []string }

// New returns Names with patterns, in the syntax of path.Match, in addition to Everywhere.
func New(patterns []string) (Names, error) {
	var n Names
	for _, p := range patterns {
		if _, err := path.Match(p, ""); err != nil || p == "" || strings.Contains(p, "/") {
			return Names{}, fmt.Errorf("%q is not a file name pattern: use one such as *.bak, without a slash", p)
		}
		n.added = append(n.added, rules.Fold(p))
	}
	return n, nil
}

// Local reports whether a new name stays on this machine. comm is the name of the program that
// creates it, "" if unknown; sibling reports which files exist in the directory.
func (n Names) Local(name, comm string, sibling func(name string) bool) bool {
	folded := rules.Fold(name)
	for _, p := range Everywhere {
		if matches(p.Glob, folded) {
			return true
		}
	}
	for _, glob := range n.added {
		if matches(glob, folded) {
			return true
		}
	}
	return isSidecarOf(name, sibling) || superJournal(name, sibling) || python(name) || qt(name) || byProgram(name, comm, sibling)
}

// Unfinished reports whether a name is a temporary one of content that gets another name when
// it is complete: a browser's download, or a file that rsync or Python is writing.
func Unfinished(name string) bool {
	folded := rules.Fold(name)
	for _, p := range Everywhere {
		if p.unfinished && matches(p.Glob, folded) {
			return true
		}
	}
	return python(name) || qt(name) || byRsync(name)
}

// byRsync reports whether name is a temporary name of rsync, .NAME.XXXXXX.
func byRsync(name string) bool {
	stem, ok := strings.CutPrefix(name, ".")
	return ok && randomEnd(stem) && strings.HasSuffix(stem[:len(stem)-6], ".")
}

// matches is path.Match without an error: New rejects bad patterns.
func matches(glob, name string) bool {
	ok, _ := path.Match(glob, name)
	return ok
}

// qt reports whether name is one under which Qt's QSaveFile writes NAME: NAME.XXXXXX, six random letters. An extension of six
// letters looks the same, so NAME must have an extension of its own, and the letters both cases: of a hundred names of QSaveFile,
// three have not, and are files like any other until the rename.
func qt(name string) bool {
	at := len(name) - len(".XXXXXX")
	if at < 1 || name[at] != '.' || path.Ext(name[:at]) == "" {
		return false
	}
	end := name[at+1:]
	return strings.Trim(end, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") == "" && strings.ToLower(end) != end && strings.ToUpper(end) != end
}

// python reports whether name is one that Python's tempfile creates.
func python(name string) bool {
	end, ok := strings.CutPrefix(name, "tmp")
	return ok && len(end) == 8 && strings.Trim(end, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}
