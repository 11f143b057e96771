package mounttest

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// After a refresh that finds changes by others, everything that the kernel may cache of media/ for
// an hour is correct again.

// bytesOf is content to upload.
type bytesOf string

func (b bytesOf) Size() int64 { return int64(len(b)) }

func (b bytesOf) Open() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader([]byte(b))), nil }

func (o others) upload(dir int64, name, content string) int64 {
	o.t.Helper()
	return testrun.Must(o.UploadFile(o.t.Context(), dir, name, bytesOf(content)))(o.t).FileID
}

func (o others) mediaDir(parent int64, name string) int64 {
	o.t.Helper()
	return testrun.Must(o.CreateDirectory(o.t.Context(), parent, name))(o.t)
}

// inMedia finds a file or directory in a directory of the service's media.
func (o others) inMedia(dir int64, name string) (id int64) {
	o.t.Helper()
	tree := testrun.Must(o.GetTree(o.t.Context()))(o.t)
	for _, d := range tree.Dirs {
		if d.Parent == dir && d.Name == name {
			id = d.ID
		}
	}
	for _, f := range tree.Files {
		if f.Parent == dir && f.Name == name {
			id = f.ID
		}
	}
	require.NotZero(o.t, id, name)
	return id
}

// sharedMedia returns a mount whose kernel knows all of media/, and some names that are missing in
// it, and another client.
func sharedMedia(t *testing.T, flags ...string) (m *mounted, o others, dir, file int64) {
	m = newMount(t, flags...)
	o = others{t, m.client()}
	dir = o.mediaDir(0, "d")
	file = o.upload(dir, "f", "one")
	o.upload(dir, "g", "other")
	o.mediaDir(0, "empty")
	m.sh(`ls -lR media; cat media/d/f; ! test -e media/new; ! test -e media/d/new; ! test -e media/empty/new; ls -lR media`)
	return m, o, dir, file
}

const reread = `echo > .paperfs/refresh`

func TestMediaThatOthersMakeAppears(t *testing.T) {
	t.Parallel()
	m, o, dir, _ := sharedMedia(t)
	o.mediaDir(0, "new")
	o.upload(dir, "new", "1")
	m.sh(reread)
	assert.Equal(t, "d\nempty\nnew", m.sh(`ls media`))
	assert.Equal(t, "f\ng\nnew", m.sh(`ls media/d`))
	assert.Equal(t, "1", m.sh(`test -d media/new && cat media/d/new`))
	o.upload(o.inMedia(0, "empty"), "new", "in an empty one")
	m.sh(reread)
	assert.Equal(t, "new", m.sh(`ls media/empty`))
	assert.Equal(t, "in an empty one", m.sh(`cat media/empty/new`))
}

func TestMediaThatOthersDeleteVanishes(t *testing.T) {
	t.Parallel()
	m, o, dir, file := sharedMedia(t)
	require.NoError(t, o.DeleteFile(t.Context(), file))
	m.sh(reread)
	assert.Equal(t, "g", m.sh(`ls media/d`))
	m.fails(`stat media/d/f`)
	m.fails(`cat media/d/f`)
	require.NoError(t, o.DeleteFile(t.Context(), o.inMedia(dir, "g")))
	require.NoError(t, o.DeleteDirectory(t.Context(), dir))
	m.sh(reread)
	assert.Equal(t, "empty", m.sh(`ls media`))
	m.fails(`test -e media/d`)
}

// TestAProgramReadsWhatOthersHaveWritten checks that a program reads what others have written, which is in another
// inode, even if it has seen the old size and has the file open.
func TestAProgramReadsWhatOthersHaveWritten(t *testing.T) {
	t.Parallel()
	m, o, dir, _ := sharedMedia(t)
	inode := m.sh(`stat -c %i media/d/f`)
	out := m.sh(`exec 3< media/d/f
		echo waiting > "$HOME/ready"; until test -e "$HOME/moved"; do read -rt 0.02 <> <(:) || :; done
		stat -c %s media/d/f; cat media/d/f; stat -L -c %s /proc/self/fd/3` + afterwards(m, func() {
		o.upload(dir, "f", "something longer\n")
		m.sh(reread)
	}))
	assert.Equal(t, "17\nsomething longer\n3", out)
	assert.NotEqual(t, inode, m.sh(`stat -c %i media/d/f`))
}

// TestAFileForADirectory checks names that now lead to something else.
func TestAFileForADirectory(t *testing.T) {
	t.Parallel()
	m, o, _, _ := sharedMedia(t)
	require.NoError(t, o.DeleteDirectory(t.Context(), o.inMedia(0, "empty")))
	o.upload(0, "empty", "now a file")
	m.sh(reread)
	assert.Equal(t, "now a file", m.sh(`cat media/empty`))
	assert.Equal(t, "d/\nempty", m.sh(`ls -p media`))
}

func TestAnOldMediaTreeIsNoticed(t *testing.T) {
	t.Parallel()
	m, o, dir, _ := sharedMedia(t, "--tree-ttl", "300ms")
	o.upload(dir, "new", "1")
	m.eventually(`test -e media/d/new && ls media/d | grep -q new`)
	o.upload(dir, "f", "other")
	m.eventually(`test "$(cat media/d/f)" = other`)
}

// TestAFailedUploadIsGoneFromAKeptListing checks that the name disappears, although the kernel has
// listed it while it was being written.
func TestAFailedUploadIsGoneFromAKeptListing(t *testing.T) {
	t.Parallel()
	m, _, _, _ := sharedMedia(t)
	m.refuse(remote.UploadFile, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.sh(`exec 3> media/d/late; echo x >&3; ls media/d | grep -q late && ls media/d | grep -q late && stat media/d/late`)
	m.eventually(`! ls media/d | grep -q late`)
	m.fails(`stat media/d/late`)
	m.proxy.Heal()
	m.sh(`echo y > media/d/late && ls media/d | grep -q late && cat media/d/late`)
}

// TestARefusedDirectoryIsGoneFromAKeptListing checks that a queued directory is shown until the
// service refuses it for good.
func TestARefusedDirectoryIsGoneFromAKeptListing(t *testing.T) {
	t.Parallel()
	m, _, _, _ := sharedMedia(t, "--write-back")
	release := m.proxy.Freeze(remote.CreateDirectory)
	m.refuse(remote.CreateDirectory, `<result><code>ERROR</code><message>No.</message></result>`)
	m.sh(`mkdir media/d/queued && echo x > media/d/queued/f && ls -R media/d | grep -q queued && ls media/d/queued | grep -q f`)
	release()
	m.eventually(`! ls media/d | grep -q queued`)
	m.fails(`test -e media/d/queued`)
}

// TestOwnChangesShowAtOnce checks listings that the kernel caches.
func TestOwnChangesShowAtOnce(t *testing.T) {
	t.Parallel()
	m, _, _, _ := sharedMedia(t, "--allow-delete")
	for _, c := range []struct{ script, shows string }{
		{`touch a; ls; rm a`, "a\nf\ng"},
		{`mkdir a; ls; rmdir a`, "a\nf\ng"},
		{`echo x > a; mv a b; ls; rm b`, "b\nf\ng"},
		{`echo x > .a; ls; ls -A; mv .a a; ls; rm a`, "f\ng\n.a\nf\ng\na\nf\ng"},
		{`echo x > a; mv a ../empty/; ls; ls ../empty; rm ../empty/a; ls ../empty`, "f\ng\na"},
		{`mkdir .a; ln -s x .a/l; ls .a; ls .a; rm .a/l; ls .a; ls -A; rmdir .a; ls -A`, "l\nl\n.a\nf\ng\nf\ng"},
	} {
		assert.Equal(t, c.shows, m.sh(`set -e; cd media/d; ls > /dev/null; ls ../empty > /dev/null; `+c.script), c.script)
		assert.Equal(t, "f\ng", m.sh(`ls -A media/d`), "after %s", c.script)
	}
}
