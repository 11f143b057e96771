package fs

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed README.txt
var readmeText string

// readme returns the content of README.txt at the mount's root: what is where, on one
// screen, and what this service and the flags of this mount allow.
func readme(o Options) func() []byte {
	text := strings.ReplaceAll(readmeText, "{SERVICE}", o.Source)
	return func() []byte { return []byte(strings.ReplaceAll(text, "{RULES}", rules(o))) }
}

// rules says what programs can change. Each sentence is a line or two of at most 78 characters.
func rules(o Options) string {
	if o.ReadOnly {
		return "This mount is for reading: every change fails (Read-only file system).\n"
	}
	offers, known := o.Offers()
	var b strings.Builder
	switch {
	case offers.Moves:
		b.WriteString("mv renames papers, categories, files and directories, and keeps addresses;\nin another category, the address begins with that of the category.\n")
	case known:
		b.WriteString("mv moves a paper or category to another category. This service renames nothing.\n")
	default:
		b.WriteString("mv moves a paper or category to another category. Some services also rename.\n")
	}
	switch {
	case o.AllowDelete && offers.Deleted > 0:
		fmt.Fprintf(&b, "rm and rmdir delete. For %d days, `paperfs undo DIR` brings back what was\ndeleted or replaced.\n", offers.Deleted)
	case o.AllowDelete:
		b.WriteString("rm and rmdir delete for good, because this service keeps nothing.\n")
	default:
		b.WriteString("rm and rmdir fail: nothing is deleted on the service unless the mount is\nstarted with --allow-delete.\n")
		if offers.Deleted > 0 {
			fmt.Fprintf(&b, "For %d days, `paperfs undo DIR` brings back what was replaced.\n", offers.Deleted)
		}
	}
	if o.WriteBack {
		b.WriteString("A file is queued when it is closed (--write-back); `paperfs wait DIR` returns\nwhen all files are on the service.\n")
	} else {
		b.WriteString("A file is published when it is closed.\n")
	}
	return b.String()
}
