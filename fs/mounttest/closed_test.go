package mounttest

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/admin"
	"paperfs/remote/testrun"
)

// TestGeneratedDirectoriesRefuseEveryChange checks that each call that would create or remove a
// name fails with EPERM, costs no request, and appears in errors with the directory's own reason.
func TestGeneratedDirectoriesRefuseEveryChange(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newMount(t)
	m.sh(`mkdir papers/A papers/A/X.paper; echo x > media/f; ls papers/A/X.paper/settings`)
	m.proxy.Reset()
	for _, row := range []struct{ dir, ops, words string }{
		{".", "mkfifo create symlink link unlink:README.txt mkdir rmdir:jobs", "this directory is generated: nothing can be made or removed here"},
		{"by-id", "mkfifo create symlink link mkdir", "this directory is generated: nothing can be made or removed here"},
		{"papers/A", "mkfifo create symlink link", "papers/ can contain only categories and papers"},
		{"papers/A/X.paper", "mkfifo create symlink link unlink:url mkdir", "To publish a PDF, write it to source.pdf; write url, publication and preview in place"},
		{"papers/A/X.paper/settings", "create", "a value is written to its file in place: echo VALUE > NAME"},
	} {
		out := m.sh(`python3 -c ` + quoted(refusedCalls) + ` ` + row.dir + ` ` + row.ops)
		assert.Equal(t, "done", out, row.dir)
		assert.Contains(t, m.sh(`tail -1 .paperfs/errors`), row.words, row.dir)
	}
	assert.Empty(t, m.asked())
}

const refusedCalls = `import errno, os, sys
d, ops = sys.argv[1], sys.argv[2:]
calls = {"mkfifo": os.mkfifo, "create": lambda p: os.close(os.open(p, os.O_CREAT | os.O_WRONLY)), "symlink": lambda p: os.symlink("x", p),
    "link": lambda p: os.link("media/f", p), "unlink": os.unlink, "mkdir": os.mkdir, "rmdir": os.rmdir}
lines = lambda: len(open(".paperfs/errors").readlines())
for op in ops:
    op, _, name = op.partition(":")
    before = lines()
    try:
        calls[op](d + "/" + (name or "new"))
        sys.exit(f"{op} in {d} succeeded")
    except OSError as e:
        if e.errno != errno.EPERM: sys.exit(f"{op} in {d}: {e}")
    if lines() != before + 1: sys.exit(f"{op} in {d} is not in errors exactly once")
print("done")`

// TestExtendedAttributesSayWhatANodeIs checks that each kind of node shows its own description, and
// that generated nodes of a paper name the paper.
func TestExtendedAttributesSayWhatANodeIs(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newMount(t, "--xattrs")
	m.sh(`mkdir papers/A papers/A/X.paper media/d && echo x > media/f`)
	out := m.sh(`python3 -c ` + quoted(`import os
for path in (".", "README.txt", "papers", "papers/A", "papers/A/X.paper", "papers/A/X.paper/settings", "papers/A/X.paper/url", "media", "media/d", "media/f"):
    names = os.listxattr(path)
    assert names == sorted(names) and "user.paperfs.state" in names, (path, names)
    print(path, os.getxattr(path, "user.paperfs.kind").decode())`))
	assert.Equal(t, `. generated
README.txt generated
papers category
papers/A category
papers/A/X.paper paper
papers/A/X.paper/settings paper
papers/A/X.paper/url paper
media directory
media/d directory
media/f file`, out)
}

// TestExtendedAttributesOfOthersAreLeftBehind checks that cp and mv into the mount succeed without a
// file's extended attributes, as into any file system that has none, with and without --xattrs.
func TestExtendedAttributesOfOthersAreLeftBehind(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "setfattr")
	for _, flags := range [][]string{nil, {"--xattrs"}} {
		m := newMount(t, flags...)
		m.sh(`cd "$HOME"; echo text > f; setfattr -n user.origin -v elsewhere f`)
		m.sh(`cp -a "$HOME/f" media/copied; mv "$HOME/f" media/moved`)
		m.fails(`setfattr -n user.origin -v here media/copied`)
		m.fails(`setfattr -n user.origin -v here papers`)
		require.Equal(t, sum("text\n"), m.atService()["copied"])
		require.Equal(t, sum("text\n"), m.atService()["moved"])
	}
}

// TestWhatIsFreeIsWhatTheQuotaLeaves checks that media/ has no more free space than the quota of media files leaves, and that
// papers/, whose PDFs do not count, has.
func TestWhatIsFreeIsWhatTheQuotaLeaves(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	free := func(dir string) int {
		n := testrun.Must(strconv.Atoi(m.sh(`python3 -c 'import os; s = os.statvfs("` + dir + `"); print(s.f_bavail * s.f_frsize)'`)))(t)
		return n
	}
	m.sh(`mkdir media/d; head -c 40960 /dev/zero > media/a`)
	assert.Greater(t, free("media"), 1<<20)
	require.NoError(t, m.service.Admin().ChangeTenant("default", func(t *admin.TenantSettings) error {
		t.Quota.MediaBytes = new(int64(81920))
		return nil
	}))
	m.sh(`"$PAPERFS" refresh .`)
	m.eventually(`df --output=avail media | grep -q '^ *40$'`)
	assert.Equal(t, 40960, free("media/d"))
	assert.Greater(t, free("papers"), 1<<20)
	assert.Greater(t, free("."), 1<<20)
}
