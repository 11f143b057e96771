package mounttest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote/testrun"
)

const einvalOfMv = "subdirectory of itself|Invalid argument"

// TestBadInput checks that each invalid input fails with its errno, changes nothing, costs no
// request if the mount can decide alone, and appears once in errors.
func TestBadInput(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir -p papers/A/B papers/C && mkdir papers/A/X.paper papers/C/X.paper && echo x > media/Makefile && mkdir media/d`)
	long := strings.Repeat("x", 256)
	look := func() (tree string, failures int64) {
		tree, count, _ := strings.Cut(m.sh(`ls papers media > /dev/null; ls papers/A/X.paper/settings > /dev/null; find papers media | sort | sha256sum; wc -l < .paperfs/errors`), "\n")
		return tree, number(count)
	}
	tree, failures := look()
	for _, row := range []struct{ script, says string }{
		{`mkdir 'papers/ a'`, "Invalid argument"},
		{`mkdir $'papers/a\001b'`, "Invalid argument"},
		{`mkdir $'papers/a\377'`, "Invalid argument"},
		{`mkdir 'papers/   '`, "Invalid argument"},
		{`mkdir 'papers/A~12'`, "Invalid argument"},
		{`mkdir papers/.git`, "Operation not permitted"},
		{`mkdir papers/` + long, "too long|Invalid argument"},
		{`mkdir papers/A/X.paper/new`, "Operation not permitted"},
		{`touch papers/file`, "Operation not permitted"},
		{`ln -s x papers/link`, "Operation not permitted"},
		{`mv -T papers/A papers/C`, "exists|not empty"},
		{`mv papers/A papers/D.paper`, einvalOfMv},
		{`mv papers/A/X.paper papers/A/Y`, einvalOfMv},
		{`mv papers/A/X.paper $'papers/A/Y\001.paper'`, einvalOfMv},
		{`mv papers/A/X.paper 'papers/A/Y .paper'`, einvalOfMv},
		{`mv papers/A/X.paper papers/A/Y~12.paper`, einvalOfMv},
		{`mv papers/A/X.paper papers/A/.Y.paper`, "Operation not permitted"},
		{`mv papers/A papers/A~`, "Operation not permitted"},
		{`mv papers/A/X.paper media/`, "not supported"},
		{`mv media/Makefile papers/A/`, "not supported"},
		{`mv -T papers/A/X.paper papers/C/X.paper`, "exists"},
		{`echo 2027-02-30/2027-03-01 > papers/A/X.paper/publication`, "Invalid argument"},
		{`echo 2027-03-01/2027-02-01 > papers/A/X.paper/publication`, "Invalid argument"},
		{`echo tomorrow > papers/A/X.paper/publication`, "Invalid argument"},
		{`echo /elsewhere/x/ > papers/A/X.paper/url`, "Invalid argument"},
		{`echo 'a b' > papers/A/X.paper/url`, "Invalid argument"},
		{`echo 0 > papers/A/X.paper/preview`, "Invalid argument"},
		{`echo 60 1.2.3.4.5 > papers/A/X.paper/preview`, "Invalid argument"},
		{`echo maybe > papers/A/X.paper/settings/autoMaximize`, "Invalid argument"},
		{`mv -T by-url/a/x by-url/c/x`, einvalOfMv},
		{`ls "papers/.search/content/` + strings.Repeat("q", 129) + `"`, "Invalid argument"},
		{`ls 'papers/.search/fields/season'`, "Invalid argument"},
		{`ls 'papers/.search/fields/a=5%25*'`, "Invalid argument"},
		{`echo x > media/makefile`, "exists"},
		{`mkdir media/MAKEFILE`, "exists"},
		{`mkdir media/D`, "exists"},
		{`echo x > 'media/back\slash'`, "Invalid argument"},
		{`echo x > $'media/a\nb'`, "Invalid argument"},
		{`ln media/Makefile media/hard`, "not permitted|not supported"},
	} {
		t.Run(row.script, func(t *testing.T) {
			m.proxy.Reset()
			out := m.fails(row.script)
			assert.Regexp(t, row.says, out)
			assert.Empty(t, m.asked())
			treeAfter, failuresAfter := look()
			assert.Equal(t, tree, treeAfter, "a refused operation changes nothing")
			if !strings.Contains(row.script, long) { // the kernel may refuse that one by itself
				assert.Equal(t, failures+1, failuresAfter, "the failure is in errors once:\n%s", m.sh(`tail -3 .paperfs/errors`))
			}
			failures = failuresAfter
		})
	}
}

func TestShellsReportARefusedValue(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir papers/X.paper`)
	for _, shell := range []string{"bash", "dash"} {
		testrun.Program(t, shell)
		out, err := m.run(shell, `echo nonsense > papers/X.paper/publication`)
		assert.Error(t, err, shell)
		assert.Regexp(t, "Invalid argument|I/O error", out, shell)
	}
}

func TestAwkwardNamesWork(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	for _, name := range []string{`a／b`, `．dots...`, `"quotes" 'and' <tags> & ]]>`, `100% *?[x]`, `naïve 日本語 🎉`, `-rf`, `trailing.dot.`, `a&amp;b`, `back\slash`} {
		dir := `papers/` + name
		m.sh(`mkdir -- ` + quoted(dir) + ` ` + quoted(dir+`/`+name+`.paper`))
		assert.Equal(t, name+".paper", m.sh(`ls -- `+quoted(dir)), name)
	}
	before := m.sh(`ls papers`)
	m.sh(`echo > .paperfs/refresh`)
	m.remount()
	assert.Equal(t, before, m.sh(`ls papers`))
}

func TestRenameFlags(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newMount(t)
	m.sh(`mkdir papers/A papers/B papers/A/X.paper papers/B/Y.paper && echo a > media/a && echo b > media/b`)
	m.proxy.Reset()
	exchange := `import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
for flag in (2, 4):
    for a, b in (("papers/A/X.paper", "papers/B/Y.paper"), ("media/a", "media/b"), ("by-url/a/x", "by-url/b/y")):
        if libc.renameat2(-100, a.encode(), -100, b.encode(), flag) != -1: sys.exit(f"{a} {b} {flag}: done")
        e = ctypes.get_errno()
        if os.strerror(e) != "Invalid argument": sys.exit(f"{a} {b} {flag}: {os.strerror(e)}")`
	m.sh(`python3 -c ` + quoted(exchange))
	assert.Empty(t, m.asked())
	assert.Equal(t, "a\nb", m.sh(`cat media/a media/b`))
}

// quoted quotes a word for the shell.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
