package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

var updateLicenses = flag.Bool("update-licenses", false, "write the notices of others that the binary carries")

// noticeFile matches the names of modules' notices.
var noticeFile = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|notice|patents)([.-].*)?$`)

// builtIn is a package that is part of the program.
type builtIn struct {
	Dir    string
	Module *struct {
		Path, Dir string
		Main      bool
	}
}

// packages returns all packages of the program except its own and Go's.
func packages(t *testing.T) (all []builtIn) {
	list := exec.Command("go", "list", "-deps", "-json=Dir,Module", ".")
	out := testrun.Must(list.Output())(t)
	for in := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p builtIn
		err := in.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		if p.Module != nil && !p.Module.Main {
			all = append(all, p)
		}
	}
}

// notices returns the files of a directory that must be passed on.
func notices(t *testing.T, dir string) (files []string) {
	entries := testrun.Must(os.ReadDir(dir))(t)
	for _, e := range entries {
		if noticeFile.MatchString(e.Name()) && e.Type().IsRegular() && filepath.Ext(e.Name()) != ".go" {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files
}

// gathered returns the expected licenses.txt: each text once, below the names of its modules.
func gathered(t *testing.T) string {
	whose := map[string][]string{} // modules by text
	add := func(name, file string) {
		text := testrun.Must(os.ReadFile(file))(t)
		key := strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n"))
		if !slices.Contains(whose[key], name) {
			whose[key] = append(whose[key], name)
		}
	}
	goroot := testrun.Must(exec.Command("go", "env", "GOROOT").Output())(t)
	for _, file := range notices(t, strings.TrimSpace(string(goroot))) {
		add("Go: "+filepath.Base(file), file)
	}
	has := map[string]bool{} // modules with a notice
	modules := map[string]bool{}
	for _, p := range packages(t) {
		modules[p.Module.Path] = true
		for dir := p.Dir; ; dir = filepath.Dir(dir) {
			within := testrun.Must(filepath.Rel(p.Module.Dir, dir))(t)
			for _, file := range notices(t, dir) {
				has[p.Module.Path] = true
				add(p.Module.Path+": "+filepath.Join(within, filepath.Base(file)), file)
			}
			if within == "." {
				break
			}
		}
	}
	for module := range modules {
		require.True(t, has[module], "no notice file found for %s", module)
	}
	var parts []string
	for text, names := range whose {
		slices.Sort(names)
		parts = append(parts, fmt.Sprintf("%s\n\n%s\n", strings.Join(names, "\n"), text))
	}
	slices.Sort(parts)
	return strings.Join(parts, "\n"+strings.Repeat("=", 80)+"\n\n")
}

// TestLicensesAreAllThere checks that the binary contains the notice of every module in it. After a
// change of the modules, run: go test ./cmd/paperfs -run LicensesAreAllThere -update-licenses
func TestLicensesAreAllThere(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the program has other modules on other systems")
	}
	want := gathered(t)
	if *updateLicenses {
		require.NoError(t, os.WriteFile("licenses.txt", []byte(want), 0o644))
		return // the tests run a program that was built before
	}
	have := testrun.Must(os.ReadFile("licenses.txt"))(t)
	require.True(t, string(have) == want, "licenses.txt does not match the modules: run this test with -update-licenses")
	printed := newEnvironment(t).succeed("version", "--licenses")
	require.True(t, strings.Contains(printed, want), "version --licenses does not print it")
	require.Contains(t, printed, "PDFium")
	require.Contains(t, printed, "SIL OPEN FONT LICENSE")
	require.Contains(t, printed, "Droid Sans Fallback")
}
