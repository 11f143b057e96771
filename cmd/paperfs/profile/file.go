package profile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"paperfs/remote/shellword"
)

// PasswordKey is the setting that requires the file to be private.
const PasswordKey = "password"

// File is a file of profiles.
type File struct {
	Path     string
	profiles map[string]*Profile
}

// Profile is one table of the file.
type Profile struct {
	Name     string
	Line     int
	Settings map[string]Setting
	file     string
}

// Setting is a value (bool, int64, float64, string, []string) and its line.
type Setting struct {
	Value any
	Line  int
}

// DefaultPath returns the default path of the profiles.
func DefaultPath() string { return filepath.Join(xdg.ConfigHome, "paperfs", "config.toml") }

// Option returns the argument with which a command finds the profiles in path, after a blank,
// or "" for the default path.
func Option(path string) string {
	if path == DefaultPath() {
		return ""
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return " --config " + shellword.Quote(path)
}

// missing reports a profile that is not in the file, and what to do.
func (f *File) missing(name string) error {
	text := fmt.Sprintf("there is no profile %q in %s", name, f.Path)
	switch near, others := Nearest(name, f.Names()), f.Names(); {
	case near != "":
		return fmt.Errorf("%s: did you mean %s?", text, near)
	case len(others) > 0:
		return fmt.Errorf("%s: it has %s", text, strings.Join(others, ", "))
	}
	return fmt.Errorf("%s. Run: paperfs config add%s %s", text, Option(f.Path), shellword.Quote(name))
}

// Load reads a file. A missing file has no profiles.
func Load(path string) (*File, error) {
	f := &File{Path: path, profiles: map[string]*Profile{}}
	text, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	} else if err != nil {
		return nil, err
	}
	if err := f.parse(text); err != nil {
		return nil, err
	}
	return f, f.checkReaders()
}

// readFile reads a regular file: reading a FIFO could block forever. /dev/null counts as an
// empty file.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() && path != os.DevNull {
		return nil, fmt.Errorf("%s is not a regular file: profiles must be in one", path)
	}
	return os.ReadFile(path)
}

// mark is the byte order mark of UTF-8, which some editors write.
const mark = "\uFEFF"

func (f *File) parse(text []byte) error {
	if bytes.HasPrefix(text, []byte(mark)) {
		return f.at(1, "it begins with a byte order mark, which TOML does not have. Run: sed -i '1s/^...//' %s", shellword.Quote(f.Path))
	}
	tables := map[string]any{}
	if err := toml.Unmarshal(text, &tables); err != nil {
		if e, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, _ := e.Position()
			return f.at(line, "%s", strings.TrimPrefix(e.Error(), "toml: "))
		}
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	lines := linesOf(text)
	for name, table := range tables {
		p := &Profile{Name: name, Line: lines[name], Settings: map[string]Setting{}, file: f.Path}
		settings, ok := table.(map[string]any)
		if list, isList := table.([]any); isList && len(list) > 0 && isTable(list[0]) {
			return f.at(p.Line, "[[%s]] is a list of tables: write [%s]", name, name)
		}
		if !ok {
			return f.at(p.Line, "%s stands outside of a profile: put it below a line such as [acme]", name)
		}
		for key, value := range settings {
			line := lines[name+"\x00"+key]
			if line == 0 {
				line = p.Line // an inline table has no line for its keys
			}
			if value, ok = plain(value); !ok {
				return f.at(line, "%s: %s cannot be a table or a list of other things than texts", name, key)
			}
			p.Settings[key] = Setting{value, line}
		}
		f.profiles[name] = p
	}
	return nil
}

func isTable(value any) bool {
	_, ok := value.(map[string]any)
	return ok
}

// plain converts a TOML value to one that a setting may have.
func plain(value any) (any, bool) {
	switch v := value.(type) {
	case bool, int64, float64, string:
		return v, true
	case []any:
		texts := make([]string, len(v))
		for i := range v {
			text, ok := v[i].(string)
			if !ok {
				return nil, false
			}
			texts[i] = text
		}
		return texts, true
	}
	return nil, false
}

// linesOf returns the lines of profiles, by name, and of their settings, by name and
// key.
func linesOf(text []byte) map[string]int {
	lines, table := map[string]int{}, []string{}
	var p unstable.Parser
	for p.Reset(text); p.NextExpression(); {
		e := p.Expression()
		if e.Kind != unstable.Table && e.Kind != unstable.ArrayTable && e.Kind != unstable.KeyValue {
			continue
		}
		path, line := keyOf(&p, e)
		if e.Kind != unstable.KeyValue {
			table = path
		} else {
			path = slices.Concat(table, path)
		}
		for depth := 1; depth <= min(len(path), 2); depth++ {
			if key := strings.Join(path[:depth], "\x00"); lines[key] == 0 {
				lines[key] = line
			}
		}
	}
	return lines
}

func keyOf(p *unstable.Parser, e *unstable.Node) (path []string, line int) {
	for keys := e.Key(); keys.Next(); {
		if key := keys.Node(); line == 0 {
			line = p.Shape(key.Raw).Start.Line
		}
		path = append(path, string(keys.Node().Data))
	}
	return path, line
}

// checkReaders refuses a password that other users can read.
func (f *File) checkReaders() error {
	for _, name := range f.Names() {
		password, there := f.profiles[name].Settings[PasswordKey]
		if !there {
			continue
		}
		info, err := os.Stat(f.Path)
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o077 != 0 {
			return f.at(password.Line, "%s: there is a password here, and others can read the file. Run: chmod 600 %s", name, shellword.Quote(f.Path))
		}
	}
	return nil
}

func (f *File) at(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", f.Path, line, fmt.Sprintf(format, args...))
}

// Names returns the names of the profiles, sorted.
func (f *File) Names() []string { return slices.Sorted(maps.Keys(f.profiles)) }

// Profile returns the profile with a name.
func (f *File) Profile(name string) (*Profile, error) {
	if p, ok := f.profiles[name]; ok {
		return p, nil
	}
	return nil, f.missing(name)
}

// At returns the position of a setting: FILE:LINE.
func (p *Profile) At(key string) string {
	return fmt.Sprintf("%s:%d", p.file, p.Settings[key].Line)
}

// Errorf returns an error about a setting.
func (p *Profile) Errorf(key, format string, args ...any) error {
	return fmt.Errorf("%s: %s: %s: %s", p.At(key), p.Name, key, fmt.Sprintf(format, args...))
}
