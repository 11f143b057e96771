package profile

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// written creates a file of profiles and returns its path.
func written(t *testing.T, text string, mode os.FileMode) string {
	path := filepath.Join(t.TempDir(), "config.toml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	require.NoError(t, os.Chmod(path, mode))
	return path
}

func TestLoad(t *testing.T) {
	path := written(t, "# mine\n[acme]\nurl = \"https://acme.example\"\nrpm = 30\nlocal = ['*.bak', \"*.o\"]\n\n[other]\nread_only = true\n", 0o644)
	f := testrun.Must(Load(path))(t)
	require.Equal(t, []string{"acme", "other"}, f.Names())
	p := testrun.Must(f.Profile("acme"))(t)
	require.Equal(t, 2, p.Line)
	require.Equal(t, map[string]Setting{"url": {"https://acme.example", 3}, "rpm": {int64(30), 4}, "local": {[]string{"*.bak", "*.o"}, 5}}, p.Settings)
	require.Equal(t, path+":4", p.At("rpm"))

	f = testrun.Must(Load(filepath.Join(t.TempDir(), "none")))(t)
	require.Empty(t, f.Names())
}

// TestErrorsNameThePlace checks that errors have the file, the line and the key, and say what to do.
func TestErrorsNameThePlace(t *testing.T) {
	for text, says := range map[string]string{
		"[acme]\nurl = https\n":          ":2: ",
		"[acme]\n\n[acme]\n":             ":3: ",
		"url = 'x'\n":                    ":1: url stands outside of a profile: put it below a line such as [acme]",
		"[acme]\n[acme.deep]\nurl='x'\n": ":2: acme: deep cannot be a table",
		"[acme]\n\nlocal = [1]\n":        ":3: acme: local cannot be",
		"acme = {url = {}}\n":            ":1: acme: url cannot be",
	} {
		path := written(t, text, 0o600)
		_, err := Load(path)
		require.ErrorContains(t, err, path+says, text)
	}
	f := testrun.Must(Load(written(t, "[acme]\n[studio]\n", 0o600)))(t)
	for name, says := range map[string]string{"amce": "did you mean acme?", "stud": "did you mean studio?", "elsewhere": "it has acme, studio"} {
		_, err := f.Profile(name)
		require.ErrorContains(t, err, says)
	}
}

// TestPasswordThatOthersCanReadIsRefused checks that the error has the command that fixes it.
func TestPasswordThatOthersCanReadIsRefused(t *testing.T) {
	for _, mode := range []os.FileMode{0o640, 0o604} {
		path := written(t, "[acme]\npassword = 'x'\n", mode)
		_, err := Load(path)
		require.ErrorContains(t, err, path+":2: acme: there is a password here, and others can read the file. Run: chmod 600 "+path)
	}
	testrun.Must(Load(written(t, "[acme]\npassword = 'x'\n", 0o600)))(t)
}

// TestProfilesThatEditorsAndPeopleWrite checks files that editors or people write, and that are not valid TOML
// or have no valid profile.
func TestProfilesThatEditorsAndPeopleWrite(t *testing.T) {
	for text, says := range map[string]string{
		"\uFEFF[acme]\n":      ":1: it begins with a byte order mark, which TOML does not have. Run: sed -i '1s/^...//' ",
		"[[acme]]\nrpm = 1\n": ":1: [[acme]] is a list of tables: write [acme]",
		"a = 1\n":             ":1: a stands outside of a profile",
		"[b]\n[[acme]]\n":     ":2: [[acme]] is a list of tables: write [acme]",
	} {
		path := written(t, text, 0o600)
		_, err := Load(path)
		require.ErrorContains(t, err, path+says)
		require.ErrorContains(t, Add(path, "studio", these()), path+says)
		require.Equal(t, text, read(t, path))
	}
}

func TestAddAndRemoveKeepWhatElseIsThere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "new", "config.toml")
	require.NoError(t, Add(path, "acme", these(Named{"url", "https://a\"b"}, Named{"local", []string{"*.bak"}}, Named{"rpm", int64(3)})))
	text := testrun.Must(os.ReadFile(path))(t)
	require.Equal(t, "[acme]\nurl = 'https://a\"b'\nlocal = ['*.bak']\nrpm = 3\n", string(text))
	info := testrun.Must(os.Stat(path))(t)
	require.Equal(t, os.FileMode(0o600), info.Mode())

	mine := "# about all\n\n[first] # mine\nurl = 'x' # its address\n# the end of first\n\n# about acme\n[acme]\n# inside\nurl = '''\n[studio]\n'''  # text\n# about last\n[last]\nrpm = 1\n"
	require.NoError(t, os.WriteFile(path, []byte(mine), 0o644))
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(path, link))
	require.NoError(t, Add(link, "studio", these(Named{"rpm", int64(2)})))
	require.Equal(t, mine+"\n[studio]\nrpm = 2\n", read(t, path))
	require.NoError(t, Remove(link, "acme"))
	require.NoError(t, Remove(link, "studio"))
	require.Equal(t, "# about all\n\n[first] # mine\nurl = 'x' # its address\n# the end of first\n\n# about acme\n# about last\n[last]\nrpm = 1\n\n", read(t, path))
	require.NoError(t, Remove(path, "first"))
	require.Equal(t, "# about all\n\n# the end of first\n\n# about acme\n# about last\n[last]\nrpm = 1\n\n", read(t, path))
	require.NoError(t, Remove(path, "last"))
	require.Equal(t, os.ModeSymlink, testrun.Must(os.Lstat(link))(t).Mode().Type())

	for _, name := range []string{"a b", "-o", "none", strings.Repeat("x", 65)} {
		require.ErrorContains(t, Add(path, name, these()), "cannot be the name")
	}
	require.NoError(t, Add(path, "acme", these()))
	require.ErrorContains(t, Add(path, "acme", func() ([]Named, error) { panic("the settings must not be asked for: a password would be stored") }), "paperfs config remove --config "+path+" acme")
	require.ErrorContains(t, Remove(path, "amce"), "did you mean acme?")
	require.NoError(t, os.WriteFile(path, []byte("acme.url = 'x'\n"), 0o600))
	require.ErrorContains(t, Remove(path, "acme"), ":1: the profile acme does not begin with a line [acme]")
	require.Len(t, testrun.Must(os.ReadDir(filepath.Dir(path)))(t), 1, "no temporary file is left")
}

func read(t *testing.T, path string) string {
	return string(testrun.Must(os.ReadFile(path))(t))
}

// TestAddAtTheSameTime checks that no profile is lost.
func TestAddAtTheSameTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	errs := make([]error, len(names))
	var all sync.WaitGroup
	for i, name := range names {
		all.Go(func() { errs[i] = Add(path, name, these()) })
	}
	all.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	require.Equal(t, names, testrun.Must(Load(path))(t).Names())
}

func these(settings ...Named) func() ([]Named, error) {
	return func() ([]Named, error) { return settings, nil }
}

// TestNoProfileIsAddedToTheNullDevice checks that /dev/null reads as an empty file, and that no
// profile can be added: the file would be replaced, and so would the device.
func TestNoProfileIsAddedToTheNullDevice(t *testing.T) {
	f := testrun.Must(Load(os.DevNull))(t)
	require.EqualError(t, f.CheckNew("acme"), "/dev/null cannot hold profiles: name a file with --config")
}
