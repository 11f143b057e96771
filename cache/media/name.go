package media

import (
	"strings"

	"paperfs/remote/rules"
)

// longestName is the longest name in bytes that Linux programs can handle.
const longestName = 255

// checkName refuses what the service would refuse or alter, and what programs
// here could not handle.
func checkName(name string) error {
	reason := ""
	switch fault := rules.MediaName(name); {
	case name == "" || fault == rules.Reserved:
		reason = "is not a name"
	case fault == rules.NotUTF8:
		reason = "is not valid UTF-8"
	case fault == rules.Separator:
		reason = `contains "/" or "\"`
	case fault == rules.Control:
		reason = "contains a control character"
	case fault == rules.Blank, fault == rules.BlankAtEnd:
		reason = "begins or ends with a blank"
	case len(name) > longestName:
		return &Error{Kind: TooLong, Name: name, Detail: "the name is longer than 255 bytes"}
	default:
		return nil
	}
	return &Error{Kind: Invalid, Name: name, Detail: "the name " + reason + ", which the service does not accept"}
}

// viKin are the programs that probe a directory with a file called 4913;
// Debian and others add a suffix such as ".tiny".
var viKin = map[string]bool{
	"vi": true, "vim": true, "nvim": true, "view": true, "ex": true, "gvim": true, "gview": true,
	"rvim": true, "rview": true, "vimdiff": true, "gvimdiff": true, "evim": true, "eview": true,
}

// CommMatters reports whether a name is scratch for some programs only, so
// that New.Comm has to be known for it.
func CommMatters(name string) bool { return name == "4913" || randomEnd(name) || officeName(name) }

// scratchName reports whether a name is one that programs use on the way to
// the real one, so that it stays on this machine. comm is the name of the
// program that gives it, empty where it is not known; sibling tells what else
// is in the directory.
func scratchName(name, comm string, sibling func(name string) bool) bool {
	switch {
	case strings.HasPrefix(name, "."): // rsync, vim, gio, LibreOffice, NFS, macOS, trash
		return true
	case strings.HasSuffix(name, "~"): // backups
		return true
	case strings.HasPrefix(name, "~$"): // office locks
		return true
	case len(name) > 2 && name[0] == '#' && name[len(name)-1] == '#': // emacs' auto-save
		return true
	case name == "4913":
		program, _, _ := strings.Cut(comm, ".")
		return viKin[program]
	case comm == "soffice.bin":
		return officeName(name)
	}
	return randomEnd(name) && temporary(name[:len(name)-6], name[len(name)-6:], comm, sibling)
}

// temporary reports whether comm makes names of a stem and a random end on the
// way to the real one.
func temporary(stem, end, comm string, sibling func(name string) bool) bool {
	switch comm {
	case "sed":
		return stem == "sed" || sibling(stem)
	case "busybox": // its sed -i; since any program of it may be called that, digits alone do not count
		return stem == "sed" || sibling(stem) && strings.Trim(end, "0123456789") != ""
	case "zip":
		return stem == "zi"
	case "perl": // -i
		return stem == "XX"
	case "patch":
		return strings.HasSuffix(stem, ".o") || strings.HasSuffix(stem, ".r")
	}
	return false
}

// officeName matches what LibreOffice writes before it renames it: "lu", some
// small letters and digits, ".tmp".
func officeName(name string) bool {
	middle, found := strings.CutPrefix(name, "lu")
	middle, ended := strings.CutSuffix(middle, ".tmp")
	return found && ended && middle != "" && strings.Trim(middle, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// randomEnd reports whether a name ends as mkstemp's do.
func randomEnd(name string) bool {
	if len(name) <= 6 {
		return false
	}
	for _, c := range []byte(name[len(name)-6:]) {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9') {
			return false
		}
	}
	return true
}

// fold maps names that differ only in case to the same string: the service
// holds them for one. For one in small letters that is the name itself, as far
// as they are ASCII.
func fold(name string) string { return rules.Fold(name) }
