package mounttest

import (
	"fmt"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// followingMounts are mounts of one service that tells them of changes.
func followingMounts(t *testing.T, flags ...string) (a, b *mounted) {
	f := servicetest.Start(t)
	mounts := make([]*mounted, 2)
	for i := range mounts {
		mounts[i] = newMountOf(t, f, flags...)
		mounts[i].told()
	}
	return mounts[0], mounts[1]
}

// told mounts again, behind a proxy that passes on that the service tells of changes, and waits until it does.
func (m *mounted) told() {
	m.t.Helper()
	m.proxy.TellChanges()
	m.sh(`ls papers media > /dev/null`)
	m.eventually(`"$PAPERFS" status --json . | grep -q '"told": true'`)
	m.sh(`"$PAPERFS" refresh .`) // trees of before the mark
}

// TestAMountCatchesUp checks that what others did between two mounts is seen once the mount is ready, although the tree of the
// first is not due.
func TestAMountCatchesUp(t *testing.T) {
	t.Parallel()
	a, b := followingMounts(t, "--tree-ttl", "10h")
	a.sh(`echo one > media/x`)
	b.eventually(`grep -q one media/x`)
	b.stop()
	a.sh(`echo two > media/x; echo new > media/y; mkdir papers/A`)
	b.proxy.Delay(remote.Wait, 300*time.Millisecond)
	b.start("--tree-ttl", "10h")
	b.sh(`grep -q two media/x && test -s media/y && test -d papers/A`)
	defer b.proxy.Freeze(remote.Wait)()
	b.remount() // is not kept from being ready
}

// TestAMountCatchesUpWhileItsTreeComes checks the same for what others do until the first tree of a mount is here.
func TestAMountCatchesUpWhileItsTreeComes(t *testing.T) {
	t.Parallel()
	a, b := followingMounts(t, "--tree-ttl", "10h")
	b.stop()
	held, release := b.proxy.FreezeAnswer(remote.GetAllPapers)
	b.start("--tree-ttl", "10h")
	<-held
	b.eventually(`"$PAPERFS" status --json . | grep -q '"told": true'`)
	a.sh(`mkdir papers/A`)
	release()
	b.eventually(`test -d papers/A`)
}

// TestAMountMissesNothingAtItsStart checks what others change after the trees of a mount were read, and before the service has
// answered its first request for changes: of a mount of a known account, and of the first.
func TestAMountMissesNothingAtItsStart(t *testing.T) {
	t.Parallel()
	a, b := followingMounts(t, "--tree-ttl", "10h")
	for _, forget := range []bool{false, true} {
		if b.stop(); forget {
			b.forgetTrees()
		}
		held, release := b.proxy.FreezeAnswer(remote.Wait)
		b.start("--tree-ttl", "10h")
		<-held
		b.sh(`"$PAPERFS" refresh .; ls -R papers media > /dev/null`)
		a.sh(fmt.Sprintf(`mkdir papers/A%[1]v; echo new > media/f%[1]v; test -d papers/A%[1]v`, forget))
		release()
		b.eventually(fmt.Sprintf(`test -d papers/A%[1]v && grep -q new media/f%[1]v`, forget))
	}
}

// TestAMountFollows checks that what is done in one mount is soon seen in another, whose trees are never due.
func TestAMountFollows(t *testing.T) {
	t.Parallel()
	a, b := followingMounts(t, "--tree-ttl", "10h", "--document-ttl", "10h", "--allow-delete")
	a.put("two.pdf", pdfOf(t, 2, 0))
	for i, step := range []struct{ do, seen string }{
		{`mkdir papers/A`, `test -d papers/A`},
		{`mkdir papers/X.paper`, `test -d papers/X.paper && cat papers/X.paper/settings/autoMaximize && ls papers/X.paper/pages`},
		{`mv papers/X.paper papers/A/`, `test -d papers/A/X.paper && ! test -e papers/X.paper`},
		{`mv papers/A/X.paper papers/A/Y.paper`, `test -d papers/A/Y.paper && ! test -e papers/A/X.paper`},
		{`echo 2031-01-01T00:00:00Z/2032-01-01T00:00:00Z > papers/A/Y.paper/publication`, `grep -q 2031 papers/A/Y.paper/publication`},
		{`cat papers/A/Y.paper/settings/autoMaximize > ../was; sed 's/true/TRUE/;s/false/true/;s/TRUE/false/' ../was > papers/A/Y.paper/settings/autoMaximize`,
			`! cmp -s "` + filepath.Join(a.home, "was") + `" papers/A/Y.paper/settings/autoMaximize`},
		{`cp ../two.pdf papers/A/Y.paper/source.pdf`, `test "$(ls papers/A/Y.paper/pages | wc -l)" = 2`},
		{`echo one > media/f`, `test "$(cat media/f)" = one`},
		{`echo second > media/f`, `test "$(cat media/f)" = second`},
		{`mkdir media/d; mv media/f media/d/g`, `test "$(cat media/d/g)" = second && ! test -e media/f`},
		{`rm media/d/g && rmdir media/d`, `! test -e media/d`},
		{`rmdir papers/A/Y.paper`, `! test -e papers/A/Y.paper`},
	} {
		a.sh(step.do)
		began := time.Now()
		b.eventually(step.seen)
		t.Logf("%s: %s", step.do, time.Since(began).Round(time.Millisecond))
		if i == 0 { // trees that were fetched while a request was held are fetched again
			b.proxy.Reset()
		}
	}
	assert.Zero(t, a.proxy.Count(remote.GetProcessingPapers))
	assert.Zero(t, b.proxy.Count(remote.GetAllPapers)+b.proxy.Count(remote.GetTree), "what is told goes into the trees")
	b.proxy.Reset()
	a.sh(`ls -lR . > /dev/null`)
	assert.Zero(t, b.proxy.Total(), "nothing changes")
}

// TestItsOwnChangesCostNoTree checks that a mount is not told of what it does itself.
func TestItsOwnChangesCostNoTree(t *testing.T) {
	t.Parallel()
	m, _ := followingMounts(t)
	assert.Equal(t, []string{"CreateDirectory", "UploadFile", "MoveFile"}, m.cost(`mkdir media/d; echo one > media/d/f; mv media/d/f media/g`))
	assert.Equal(t, 0, m.proxy.Count(remote.GetTree))
}

// TestAMountIsRightAgainAfterAnOutage checks what colleagues did while a mount's proxy was away, and that a proxy
// that cuts held requests delays nothing.
func TestAMountIsRightAgainAfterAnOutage(t *testing.T) {
	t.Parallel()
	a, b := followingMounts(t, "--tree-ttl", "10h")
	for i, stop := range []func(){
		b.proxy.Down,
		func() { b.proxy.Fail(remote.Wait, -1, http.StatusGatewayTimeout) },
		func() { b.proxy.Cut(remote.Wait, -1, 0) },
		func() { b.proxy.Fail(remote.GetTree, 3, http.StatusServiceUnavailable) },
	} {
		stop()
		a.sh(fmt.Sprintf(`echo %d > media/f%[1]d; mkdir papers/d%[1]d`, i))
		b.proxy.Heal()
		b.proxy.Up()
		b.eventually(fmt.Sprintf(`test -e media/f%d && test -d papers/d%[1]d`, i))
	}
}

// TestStatusSaysWhetherAMountIsTold checks both lines of the status.
func TestStatusSaysWhetherAMountIsTold(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "grep")
	m := newMount(t)
	m.sh(`ls papers`)
	require.Contains(t, m.sh(`"$PAPERFS" status .`), "the mount asks")
	m.told()
	require.Contains(t, m.sh(`"$PAPERFS" status .`), "the service tells")
}

// TestEventsAreWritten follows the changes of another mount, by the command and by the file.
func TestEventsAreWritten(t *testing.T) {
	t.Parallel()
	a, b := followingMounts(t, "--allow-delete")
	b.sh(`"$PAPERFS" events . > "$HOME/all" 2> "$HOME/wrong" & "$PAPERFS" events --json media > "$HOME/media" 2>> "$HOME/wrong" & echo $! > "$HOME/pid"`)
	a.sh(`mkdir papers/A media/d`)
	b.eventually(`grep -q . "$HOME/all" || { mkdir ` + a.dir + `/media/n$RANDOM; false; }`) // the command has begun
	t.Cleanup(func() {
		out, _ := b.run("sh", `cat "$HOME/all" "$HOME/wrong" "$HOME/media"; ls papers media`)
		t.Log(out)
	})
	a.sh(`mkdir papers/B.paper; echo one > media/d/f`)
	b.eventually(`grep -qx $'node\tpapers/B.paper' "$HOME/all" && grep -qx $'file\tmedia/d/f' "$HOME/all" && test -d papers/B.paper && test -e media/d/f`)
	a.sh(`rm media/d/f; mv papers/B.paper papers/A/C.paper`)
	b.eventually(`grep -qx $'file\tmedia/d/f\tgone' "$HOME/all" && grep -qx $'node\tpapers/A/C.paper' "$HOME/all"`)
	b.eventually(`grep -q '"kind":"file","path":"media/d/f"' "$HOME/media" && ! grep -q papers "$HOME/media"`)
	b.sh(`kill -INT "$(cat "$HOME/pid")"; exec 3<>.paperfs/events; echo 0 >&3; cat <&3 | grep -q '"told":true'; test ! -s "$HOME/wrong"`)
	require.Contains(t, newMount(t).fails(`"$PAPERFS" events .`), "does not tell")
}
