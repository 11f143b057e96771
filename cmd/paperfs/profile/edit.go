package profile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
	"golang.org/x/sys/unix"

	"paperfs/remote/durable"
	"paperfs/remote/rules"
)

// Named is a setting for a profile.
type Named struct {
	Key   string
	Value any
}

var goodName = rules.Pattern(`^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$`)

// noNames mean "no profile" in fstab.
var noNames = []string{"none", "paperfs"}

// CheckNew returns why a profile cannot be added under a name, or nil.
func (f *File) CheckNew(name string) error {
	if f.Path == os.DevNull { // root could replace it, and break the machine
		return fmt.Errorf("%s cannot hold profiles: name a file with --config", f.Path)
	}
	if !goodName().MatchString(name) {
		return fmt.Errorf("%q cannot be the name of a profile: use at most 64 letters, digits, - and _, and do not begin with -", name)
	}
	if slices.Contains(noNames, name) {
		return fmt.Errorf("%q cannot be the name of a profile: in fstab it stands for none", name)
	}
	if p, ok := f.profiles[name]; ok {
		return f.at(p.Line, "there is a profile %s already. Run: paperfs config remove%s %s, or edit the file", name, Option(f.Path), name)
	}
	return nil
}

// Add appends a profile to a file, which it creates if needed. It calls settings after it has
// checked that the name is free, and holds the lock until the profile is written.
func Add(path, name string, settings func() ([]Named, error)) error {
	return edit(path, func(f *File, text []byte) ([]byte, error) {
		if err := f.CheckNew(name); err != nil {
			return nil, err
		}
		all, err := settings()
		if err != nil {
			return nil, err
		}
		if len(text) > 0 {
			text = append(bytes.TrimRight(text, "\n"), "\n\n"...)
		}
		table, err := withSettings(fmt.Appendf(nil, "[%s]\n", name), name, all)
		return append(text, table...), err
	})
}

// Change replaces settings of a profile, or adds them behind its last one. A nil value takes a setting out. The rest of the file stays.
func Change(path, name string, all []Named) error {
	return edit(path, func(f *File, text []byte) ([]byte, error) {
		begin, end, err := f.table(text, name)
		if err != nil {
			return nil, err
		}
		table, err := withSettings(text[begin:end], name, all)
		return slices.Concat(text[:begin], table, text[end:]), err
	})
}

// withSettings returns the table of a profile with settings changed. An old value is as many lines as a statement of TOML needs.
func withSettings(table []byte, name string, all []Named) (_ []byte, err error) {
	for _, s := range all {
		lines := slices.Collect(bytes.Lines(table))
		first := linesOf(table)[name+"\x00"+s.Key] - 1
		last := first + 1
		if first < 0 { // it comes behind the last one
			last = bytes.Count(bytes.TrimRight(table, " \t\r\n"), []byte("\n")) + 1
			first = last
			lines[first-1] = append(bytes.TrimRight(lines[first-1], "\n"), '\n')
		}
		for last > first && last < len(lines) && toml.Unmarshal(bytes.Join(lines[first:last], nil), &map[string]any{}) != nil {
			last++
		}
		var line []byte
		if s.Value != nil {
			if line, err = toml.Marshal(map[string]any{s.Key: s.Value}); err != nil {
				return nil, err
			}
		}
		table = slices.Concat(bytes.Join(lines[:first], nil), line, bytes.Join(lines[last:], nil))
	}
	return table, nil
}

// Remove cuts a profile out of a file, with the comments in it.
func Remove(path, name string) error {
	return edit(path, func(f *File, text []byte) ([]byte, error) {
		begin, end, err := f.table(text, name)
		if err != nil {
			return nil, err
		}
		return append(text[:begin:begin], text[end:]...), nil
	})
}

// table returns the section of a profile.
func (f *File) table(text []byte, name string) (begin, end int, err error) {
	p, err := f.Profile(name)
	if err != nil {
		return 0, 0, err
	}
	begin, end, ok := section(text, name)
	if !ok {
		err = f.at(p.Line, "the profile %s does not begin with a line [%s]: edit the file by hand", name, name)
	}
	return begin, end, err
}

// section returns the position of a profile's table: from its first line to the next table, or
// to a comment after the last setting, which may belong to the next table.
func section(text []byte, name string) (begin, end int, ok bool) {
	p := unstable.Parser{KeepComments: true}
	inside := false
	for p.Reset(text); p.NextExpression(); {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			at := p.Shape(firstKey(e).Raw).Start.Offset
			path, _ := keyOf(&p, e)
			at = startOfLine(text, at)
			if inside && end == 0 {
				end = at
			}
			if inside = path[0] == name; inside && !ok {
				begin, ok = at, true
			}
		case unstable.KeyValue:
			if inside {
				end = 0
			}
		case unstable.Comment:
			at := p.Shape(e.Raw).Start.Offset
			if first := startOfLine(text, at); inside && end == 0 && len(bytes.TrimSpace(text[first:at])) == 0 {
				end = first
			}
		}
	}
	if end == 0 {
		end = len(text)
	}
	return begin, end, ok
}

func firstKey(e *unstable.Node) *unstable.Node {
	keys := e.Key()
	keys.Next()
	return keys.Node()
}

func startOfLine(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

// edit replaces a file with the result of change. At any moment the complete old or new file
// exists, and only its owner can read it. A concurrent edit waits. A symlink is followed, not
// replaced.
func edit(path string, change func(*File, []byte) ([]byte, error)) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	lock, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX); err != nil {
		return fmt.Errorf("locking %s: %w", dir, err)
	}
	f, err := Load(path)
	if err != nil {
		return err
	}
	text, err := readFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if text, err = change(f, text); err != nil {
		return err
	}
	if err := (&File{Path: path, profiles: map[string]*Profile{}}).parse(text); err != nil {
		return fmt.Errorf("with this change the file could no longer be read, so it stays as it is: %w", err)
	}
	draft, err := os.CreateTemp(dir, ".config.toml.*")
	if err != nil {
		return err
	}
	_, err = draft.Write(text)
	return durable.Replace(path, draft, err)
}
