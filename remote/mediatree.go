package remote

import (
	"fmt"
	"slices"
	"strings"

	"paperfs/remote/xmlscan"
)

// readMedia reads the directories and files in data. It leaves out an invalid record, and
// everything below an invalid directory.
func readMedia(s *xmlscan.Scanner, tree *MediaTree, most mediaBound) error {
	depth := s.Depth()
	var open []int64
	text := 0 // bytes of names, digests and addresses
	for {
		tok, err := s.Next()
		if err == nil {
			err = most.check(tree, text)
		}
		switch {
		case err != nil:
			return err
		case s.Depth() < depth:
			return nil
		case tok == xmlscan.End:
			open = open[:min(len(open), s.Depth()-depth)]
			continue
		case tok != xmlscan.Start:
			continue
		}
		var parent int64
		if len(open) > 0 {
			parent = open[len(open)-1]
		}
		switch {
		case s.Is("directory"):
			if d, ok := tree.readDir(s, parent); ok {
				tree.Dirs = append(tree.Dirs, d)
				text += len(d.Name)
				open = append(open, d.ID)
				continue
			}
		case s.Is("file"):
			if f, ok := tree.readFile(s, parent); ok {
				tree.Files = append(tree.Files, f)
				text += len(f.Name) + len(f.SHA256) + len(f.URL)
			}
		}
		if err := s.Skip(); err != nil {
			return err
		}
	}
}

func (t *MediaTree) odd(format string, args ...any) {
	t.Odd = append(t.Odd, fmt.Sprintf(format, args...))
}

func (t *MediaTree) readDir(s *xmlscan.Scanner, parent int64) (MediaDir, bool) {
	d := MediaDir{Parent: parent, Name: s.AttrText("name"), Version: attrVersion(s, "version")}
	var err error
	if d.ID, err = s.AttrID("directoryid"); err != nil {
		t.odd("%v: the directory %q is left out with everything below it", err, xmlscan.Brief(s.Attr("name")))
		return d, false
	}
	if d.Name == "" {
		t.odd("directory %d has no name, and is left out with everything below it", d.ID)
		return d, false
	}
	if s.Replaced {
		t.odd("directory %d (%q): %s", d.ID, xmlscan.Brief(s.Attr("name")), notCarried)
	}
	return d, true
}

func (t *MediaTree) readFile(s *xmlscan.Scanner, parent int64) (MediaFile, bool) {
	f := MediaFile{Parent: parent, Name: s.AttrText("name"), Bytes: -1,
		SHA256: s.AttrText("sha256"), URL: s.AttrText("url"), Version: attrVersion(s, "version")}
	var err error
	if f.ID, err = s.AttrID("fileid"); err != nil {
		t.odd("%v: the file %q is left out", err, xmlscan.Brief(s.Attr("name")))
		return f, false
	}
	if f.Name == "" {
		t.odd("file %d has no name, and is left out", f.ID)
		return f, false
	}
	var odd string
	if s.Replaced {
		odd = notCarried
	}
	if f.SizeKB = xmlscan.ParseNumber(s.Attr("size")); f.SizeKB < 0 {
		f.SizeKB = sizeKB(s.AttrText("size"))
		odd = joined(odd, fmt.Sprintf("its size in KB is missing or invalid: %q", xmlscan.Brief(s.Attr("size"))))
	}
	if bytes := s.Attr("bytes"); bytes != nil {
		if f.Bytes = xmlscan.ParseNumber(bytes); f.Bytes < 0 {
			odd = joined(odd, fmt.Sprintf("its size in bytes is invalid: %q", xmlscan.Brief(bytes)))
		}
	}
	if odd != "" {
		t.odd("file %d (%q): %s", f.ID, xmlscan.Brief(s.Attr("name")), odd)
	}
	return f, true
}

// sizeKB reads a size with its unit; -1 if it is not a size.
func sizeKB(text string) int64 {
	text = strings.ToLower(strings.TrimSpace(text))
	for _, unit := range []struct {
		name string
		kb   int64
	}{{"kb", 1}, {"kib", 1}, {"k", 1}, {"mb", 1 << 10}, {"mib", 1 << 10}} {
		rest, ok := strings.CutSuffix(text, unit.name)
		if n := xmlscan.ParseNumber([]byte(rest)); ok && n >= 0 && n < 1<<40 {
			return n * unit.kb
		}
	}
	return -1
}

// leaveOutTwins leaves out files and directories whose id occurred before. The content of
// such a directory is in the first one.
func (t *MediaTree) leaveOutTwins() {
	t.Dirs = withoutTwins(t.Dirs, func(d MediaDir) int64 { return d.ID }, func(d MediaDir) {
		t.odd("the directory id %d occurs twice: %q is left out", d.ID, xmlscan.Brief([]byte(d.Name)))
	})
	t.Files = withoutTwins(t.Files, func(f MediaFile) int64 { return f.ID }, func(f MediaFile) {
		t.odd("the file id %d occurs twice: %q is left out", f.ID, xmlscan.Brief([]byte(f.Name)))
	})
}

// withoutTwins removes all but the first item of each id. In the normal case, without
// duplicates, it costs a sorted list of the ids.
func withoutTwins[T any](all []T, id func(T) int64, out func(T)) []T {
	ids := make([]int64, len(all))
	for i, one := range all {
		ids[i] = id(one)
	}
	slices.Sort(ids)
	twice := map[int64]bool{} // duplicate ids; true after the first item
	for i := 1; i < len(ids); i++ {
		if ids[i] == ids[i-1] {
			twice[ids[i]] = false
		}
	}
	if len(twice) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(one T) bool {
		met, twin := twice[id(one)]
		if !twin {
			return false
		}
		twice[id(one)] = true
		if met {
			out(one)
		}
		return met
	})
}
