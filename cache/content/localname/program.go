package localname

import "strings"

// This file has names that are temporary for some programs and intended by others.

// viKin are the programs that probe a directory by creating a file called 4913. Debian and
// others add a suffix such as ".tiny".
var viKin = map[string]bool{
	"vi": true, "vim": true, "nvim": true, "view": true, "ex": true, "gvim": true, "gview": true,
	"rvim": true, "rview": true, "vimdiff": true, "gvimdiff": true, "evim": true, "eview": true,
}

// CommMatters reports whether the program decides if a name stays local.
func CommMatters(name string) bool { return name == "4913" || randomEnd(name) }

func byProgram(name, comm string, sibling func(string) bool) bool {
	if name == "4913" {
		program, _, _ := strings.Cut(comm, ".")
		return viKin[program]
	}
	return randomEnd(name) && temporary(name[:len(name)-6], name[len(name)-6:], comm, sibling)
}

// temporary reports whether comm creates temporary names that consist of a stem and a random
// end.
func temporary(stem, end, comm string, sibling func(name string) bool) bool {
	switch comm {
	case "sed":
		return stem == "sed" || sibling(stem)
	case "busybox": // its sed -i; other applets have the same comm, so an end of digits only does not count
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

// randomEnd reports whether name ends like the names of mkstemp.
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
