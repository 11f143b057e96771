package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/programtest"
	"paperfs/remote/testrun"
)

// promising has the pages on which each list entry, and each row of a table, is a claim that tests check.
var promising = []string{"semantics", "closing", "colleagues", "other-services", "reading", "requests", "security", "sharing"}

var heldBy = regexp.MustCompile(`^<!-- held by (.*) -->$`)

// TestEachClaimIsHeld checks that the line below a claim, or below several in a row, names tests that
// check them, and that the tests that any page names exist.
func TestEachClaimIsHeld(t *testing.T) {
	for _, p := range allTopics() {
		for line := range strings.Lines(topicSource(p.name)) {
			if held := heldBy.FindStringSubmatch(strings.TrimSuffix(line, "\n")); held != nil {
				checkTests(t, held[1])
			}
		}
	}
	for _, page := range promising {
		claim, claims := "", 0
		for line := range strings.Lines(topicSource(page)) {
			line = strings.TrimSuffix(line, "\n")
			switch held := heldBy.FindStringSubmatch(line); {
			case held != nil:
				claim = ""
			case tableRule().MatchString(line): // the line above is the head of a table
				claim, claims = "", claims-1
			case strings.HasPrefix(line, "- "), strings.HasPrefix(line, "| "):
				claim, claims = line, claims+1
			case strings.HasPrefix(line, "#"):
				assert.Empty(t, claim, "%s: no test checks this claim", page)
			}
		}
		assert.Empty(t, claim, "%s: no test checks this claim", page)
		require.NotZero(t, claims, page)
	}
}

// checkTests checks that the tests in a text such as "PACKAGE TEST, TEST; PACKAGE TEST" exist. A test
// of a suite that several packages run is a function of the suite's package; one of the whole tree (package fs) is in
// the folder mounttest, one of the whole service in apitest.
func checkTests(t *testing.T, held string) {
	for part := range strings.SplitSeq(held, "; ") {
		dir, names, _ := strings.Cut(part, " ")
		files := testrun.Must(filepath.Glob(filepath.Join("../..", dir, "*.go")))(t)
		whole := testrun.Must(filepath.Glob(filepath.Join("../..", dir, "*test", "*.go")))(t)
		var tests strings.Builder
		for _, file := range append(files, whole...) {
			text := testrun.Must(os.ReadFile(file))(t)
			tests.Write(text)
		}
		for name := range strings.SplitSeq(names, ", ") {
			assert.True(t, strings.Contains(tests.String(), "\nfunc "+name+"(t *testing.T"), "%s has no %s", dir, name)
		}
	}
}

// TestPagesAreReadable checks that each page has a title and shows no comment, and that each file is a page of one part.
func TestPagesAreReadable(t *testing.T) {
	all := allTopics()
	files := testrun.Must(topicFiles.ReadDir("topic"))(t)
	require.Len(t, all, len(files))
	for _, file := range files {
		assert.True(t, slices.ContainsFunc(all, func(p topic) bool { return p.name+topicExtension == file.Name() }), file.Name())
	}
	for _, p := range all {
		assert.NotEmpty(t, p.title, p.name)
		assert.True(t, strings.HasPrefix(topicText(p.name), "# "+p.title+"\n\n"), p.name)
		assert.NotContains(t, topicText(p.name), "<!--", p.name)
	}
}

func TestLayout(t *testing.T) {
	page := "# Title\n\nA paragraph whose\nlines are filled.\n\n    as  it  is\n\n- An entry of a list\n  that goes on\n- another\n\n1. The first of all the steps\n2. The second\n\n" +
		"| name | what it says        |\n|------|---------------------|\n| `a`  | one two three four five |\n| `bc` |                     |\n\nEnd\n"
	require.Equal(t, `# Title

A paragraph whose lines
are filled.

    as  it  is

- An entry of a list
  that goes on
- another

1. The first of all the
   steps
2. The second

name  what it says
------------------------
`+"`a`"+`   one two three four
      five
`+"`bc`"+`

End
`, layOut(page, 24))
}

// TestLayoutKeepsTheWords checks that the layout keeps all words of each page, in lines that fit.
func TestLayoutKeepsTheWords(t *testing.T) {
	lines := regexp.MustCompile(`(?m)^\|[-|]+\|$|^-+$`)
	words := func(text string) []string {
		all := strings.Fields(strings.ReplaceAll(lines.ReplaceAllString(text, ""), "|", " "))
		slices.Sort(all) // lines of neighboring cells alternate
		return all
	}
	for _, p := range allTopics() {
		for _, width := range []int{60, 80, 100} {
			text := layOut(topicText(p.name), width)
			assert.Equal(t, words(topicText(p.name)), words(text), p.name)
			for line := range strings.Lines(text) {
				line = strings.TrimSuffix(line, "\n")
				long := slices.ContainsFunc(strings.Fields(line), func(word string) bool { return len(word) > width/4 })
				assert.True(t, runewidth.StringWidth(line) <= width || long || strings.HasPrefix(line, "    "), "%s: %s", p.name, line)
			}
		}
	}
}

// TestAMountStartsWithoutAlarm checks that the first line of a mount says that it is mounted, also
// where fusectl is missing.
func TestAMountStartsWithoutAlarm(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p := e.mount()
	require.Regexp(t, `^paperfs: mounted `, p.stderr.String())
}

// TestAnAddressWithoutServiceIsExplainedOnce checks that no reason and no advice comes twice.
func TestAnAddressWithoutServiceIsExplainedOnce(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.set("PAPERFS_USERNAME", "me")
	e.set("PAPERFS_PASSWORD", "secret")
	for address, says := range map[string]string{"http://127.0.0.1:9": "nothing listens there. Run: curl -sI http://127.0.0.1:9/\n"} {
		_, _, stderr := e.run("mount", "--url", address, e.path("ipaper"))
		require.Contains(t, stderr, says)
		for _, once := range []string{"Check", "--url", "cannot be looked up", "connection refused"} {
			require.Equal(t, 1, strings.Count(stderr, once), "%s in %s", once, stderr)
		}
	}
}

// TestAReadOnlyDiskIsBlamed checks that a mount names what it cannot write, and where that is
// mounted.
func TestAReadOnlyDiskIsBlamed(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a disk")
	}
	e := newEnvironment(t)
	disk := e.path("disk")
	require.NoError(t, os.Mkdir(disk, 0o700))
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = unix.Unmount(disk, unix.MNT_DETACH) })
	require.NoError(t, os.Mkdir(disk+"/state", 0o700))
	require.NoError(t, programtest.Command(t, testrun.Patience(), "mount", "-o", "remount,ro", disk).Run())
	e.set("XDG_STATE_HOME", disk+"/state")
	for _, args := range [][]string{{"mount"}, {"mount", "--daemon"}} {
		code, _, stderr := e.run(append(args, e.path("mnt"))...)
		require.Equal(t, cli.ExitFailure, code)
		require.Contains(t, stderr, "read-only file system\nRun as root: mount -o remount,rw "+disk+" (dmesg")
		require.NotRegexp(t, `^paperfs: --log-file`, stderr)
	}
}
