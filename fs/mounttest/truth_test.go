package mounttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
	"paperfs/remote"
	"paperfs/remote/testrun"
)

// After a refresh that finds changes by others, everything that the kernel may cache for an hour is
// correct again.

// others is another client of the same service.
type others struct {
	t *testing.T
	*remote.Client
}

func (o others) node(url string) remote.Node {
	o.t.Helper()
	id, found := testrun.Must2(o.GetPaperIDFromUrl(o.t.Context(), url))(o.t)
	require.True(o.t, found, url)
	return remote.Node{ID: id, URL: url}
}

func (o others) category(parent, name string) remote.Node {
	o.t.Helper()
	return remote.Node{ID: testrun.Must(o.CreateCategory(o.t.Context(), o.node(parent), name, strings.ToLower(name)))(o.t)}
}

func (o others) paper(parent, name, url string) remote.Node {
	o.t.Helper()
	return remote.Node{ID: testrun.Must(o.CreatePaper(o.t.Context(), o.node(parent), name, url))(o.t)}
}

// shared returns a mount whose names the kernel has cached, and another client.
func shared(t *testing.T) (*mounted, others) {
	m := planted(t)
	o := others{t, m.client()}
	o.category("/", "C")
	m.sh(`echo > .paperfs/refresh; ls -lR papers > /dev/null; ! test -e papers/New; ! test -e papers/A/Z.paper; ! test -e papers/C/X.paper`)
	return m, o
}

func TestNamesThatOthersMakeAppear(t *testing.T) {
	t.Parallel()
	m, o := shared(t)
	assert.Empty(t, m.cost(`ls papers papers/A > /dev/null; ! test -e papers/New; ! test -e papers/A/Z.paper`))
	o.category("/", "New")
	o.paper("/a/", "Z", "z")
	m.sh(`echo > .paperfs/refresh`)
	assert.Equal(t, "A\nC\nNew", m.sh(`ls papers`))
	assert.Equal(t, "B\nX.paper\nZ.paper", m.sh(`ls papers/A`))
	m.sh(`test -d papers/New && cat papers/A/Z.paper/url > /dev/null`)
}

func TestNamesThatOthersDeleteVanish(t *testing.T) {
	t.Parallel()
	m, o := shared(t)
	require.NoError(t, o.DeletePaper(t.Context(), o.node("/a/x/").ID))
	m.sh(`echo > .paperfs/refresh`)
	assert.Equal(t, "B", m.sh(`ls papers/A`))
	m.fails(`stat papers/A/X.paper`)
	m.fails(`cat papers/A/X.paper/id`)
}

// TestAHalfReadListingBringsNothingBack checks that the names of a half-read listing, which are
// those at its start, lead to the current nodes.
func TestAHalfReadListingBringsNothingBack(t *testing.T) {
	t.Parallel()
	m, o := shared(t)
	m.sh(`mkdir papers/Big papers/Big/{001..100}.paper`)
	half := testrun.Must(os.Open(filepath.Join(m.dir, "papers/Big")))(t)
	defer half.Close()
	testrun.Must(half.Readdirnames(1))(t)
	require.NoError(t, o.DeletePaper(t.Context(), o.node("/big/099/").ID))
	require.NoError(t, o.MovePaper(t.Context(), o.node("/big/100/").ID, o.node("/c/").ID))
	m.sh(`echo > .paperfs/refresh`)
	testrun.Must(half.Readdirnames(-1))(t)
	m.sh(`! test -e papers/Big/099.paper && ! test -e papers/Big/100.paper && test -e papers/C/100.paper`)
}

func TestWhatOthersMoveIsAtItsNewPlace(t *testing.T) {
	t.Parallel()
	m, o := shared(t)
	inode := m.sh(`stat -c %i papers/A/X.paper`)
	require.NoError(t, o.MovePaper(t.Context(), o.node("/a/x/").ID, o.node("/c/").ID))
	m.sh(`echo > .paperfs/refresh`)
	assert.Equal(t, "B", m.sh(`ls papers/A`))
	assert.Equal(t, "X.paper", m.sh(`ls papers/C`))
	m.fails(`test -e papers/A/X.paper`)
	assert.Equal(t, inode, m.sh(`stat -c %i papers/C/X.paper`))
	assert.Equal(t, "/c/x/", m.sh(`cat papers/C/X.paper/url`))
}

func TestSiblingsGainAndLoseTheirID(t *testing.T) {
	t.Parallel()
	m, o := shared(t)
	first := m.sh(`cat papers/A/X.paper/id`)
	second := o.paper("/c/", "X", "x")
	require.NoError(t, o.ChangePaperUrl(t.Context(), second.ID, "x2"))
	require.NoError(t, o.MovePaper(t.Context(), second.ID, o.node("/a/").ID))
	m.sh(`echo > .paperfs/refresh`)
	m.fails(`test -e papers/A/X.paper`)
	assert.Equal(t, first, m.sh(`cat papers/A/X~`+first+`.paper/id`))
	assert.Len(t, strings.Fields(m.sh(`ls papers/A`)), 3)
	require.NoError(t, o.DeletePaper(t.Context(), second.ID))
	m.sh(`echo > .paperfs/refresh`)
	assert.Equal(t, first, m.sh(`cat papers/A/X.paper/id`))
	m.fails(`test -e papers/A/X~` + first + `.paper`)
}

// TestTheDirectorySomebodyStandsIn checks that a shell whose working directory others move
// continues to work, and that it finds the directory empty if they delete it.
func TestTheDirectorySomebodyStandsIn(t *testing.T) {
	t.Parallel()
	m, o := shared(t)
	out := m.sh(`cd papers/A/B && cat Y.paper/id > /dev/null && exec 3< Y.paper/url
		PAPERFS_AT="$HOME/ipaper"
		echo waiting > "$HOME/ready"; until test -e "$HOME/moved"; do read -rt 0.02 <> <(:) || :; done
		ls; cat Y.paper/url; stat -c %i . ; cat <&3
		stat -c %i "$PAPERFS_AT/papers/C/B"; /bin/pwd -P` + afterwards(m, func() {
		id := o.node("/a/b/").ID
		require.NoError(t, o.MovePaper(t.Context(), id, o.node("/c/").ID))
		m.sh(`echo > .paperfs/refresh`)
	}))
	lines := strings.Split(out, "\n")
	require.Len(t, lines, 6, out)
	assert.Equal(t, "Y.paper", lines[0])
	assert.Equal(t, "/c/b/y/", lines[1])
	assert.Contains(t, []string{"/a/b/y/", "/c/b/y/"}, lines[3], "an open file can be read")
	assert.Equal(t, lines[2], lines[4], "the shell is still in the same directory")
	assert.Equal(t, filepath.Join(m.dir, "papers/C/B"), lines[5])

	m.sh(`rm "$HOME/ready" "$HOME/moved"`)
	out = m.sh(`cd papers/C/B && ls > /dev/null
		echo waiting > "$HOME/ready"; until test -e "$HOME/moved"; do read -rt 0.02 <> <(:) || :; done
		ls; cd .. && ls` + afterwards(m, func() {
		require.NoError(t, o.DeletePaper(t.Context(), o.node("/c/b/y/").ID))
		require.NoError(t, o.DeletePaper(t.Context(), o.node("/c/b/").ID))
		m.sh(`echo > .paperfs/refresh`)
	}))
	assert.Empty(t, out)
}

// afterwards waits until the script has created the file ready, runs change, and then creates the
// file moved, for which the script waits. It returns "", so that a call can be part of the script.
func afterwards(m *mounted, change func()) string {
	go func() {
		defer func() { _ = os.WriteFile(filepath.Join(m.home, "moved"), nil, 0o600) }()
		m.eventually(`test -e "$HOME/ready"`)
		change()
	}()
	return ""
}

func TestSIGUSR1Refreshes(t *testing.T) {
	t.Parallel()
	m, o := shared(t)
	o.category("/", "New")
	require.NoError(t, m.process.Process.Signal(syscall.SIGUSR1))
	m.eventually(`test -d papers/New && ls papers | grep -q New`)
}

// TestAnOldTreeIsNoticed checks that an expired tree is refreshed even if the kernel answers every
// call from its cache.
func TestAnOldTreeIsNoticed(t *testing.T) {
	t.Parallel()
	m := planted(t, "--tree-ttl", "300ms")
	o := others{t, m.client()}
	m.sh(`ls -lR papers > /dev/null`)
	o.category("/", "New")
	m.eventually(`test -d papers/New`)
}

// TestARefreshThatFindsNothingNewTellsTheKernelNothing checks that the kernel keeps its cache.
func TestARefreshThatFindsNothingNewTellsTheKernelNothing(t *testing.T) {
	t.Parallel()
	m, o := shared(t)
	told, _ := m.traced(func() { m.sh(`echo > .paperfs/refresh`) })
	assert.Zero(t, told)
	o.category("/", "New")
	told, _ = m.traced(func() { m.sh(`echo > .paperfs/refresh`) })
	assert.NotZero(t, told, "the test sees notifications")
}

// TestTheKernelAnswersASecondWalkAlone checks that the mount gets no request.
func TestTheKernelAnswersASecondWalkAlone(t *testing.T) {
	t.Parallel()
	m, _ := shared(t)
	m.sh(`mkdir media/dir && echo hello > media/dir/file`)
	const walk = `ls papers papers/A papers/A/*.paper; ls -lR media`
	first := m.sh(walk)
	assert.Contains(t, first, "structure.xml")
	// At first the kernel requests the attributes of directories that it has read. It may also drop
	// its cache whenever it needs memory.
	for tries := 1; ; tries++ {
		told, answers := m.traced(func() { assert.Equal(t, first, m.sh(walk)) })
		if told+answers == 0 {
			break
		}
		require.Less(t, tries, 10, "%d notifications and %d answers", told, answers)
	}
	_, answers := m.traced(func() { m.sh(`cat papers/.category/id`) })
	assert.NotZero(t, answers, "the test sees answers")
}

// traced counts the notifications and answers that the mount sends to the kernel while do runs.
func (m *mounted) traced(do func()) (notifications, answers int) {
	m.t.Helper()
	for _, line := range strings.Split(m.strace(do, "-e", "trace=write,writev", "-s", "64", "-xx"), "\n") {
		switch sort(line) {
		case notification:
			notifications++
		case answer:
			answers++
		}
	}
	return notifications, answers
}

// strace returns the output of strace for the mount.
func (m *mounted) strace(meanwhile func(), options ...string) string {
	m.t.Helper()
	if _, err := exec.LookPath("strace"); err != nil {
		testrun.Missing(m.t, "strace")
	}
	pid := strconv.Itoa(m.process.Process.Pid)
	trace := filepath.Join(m.home, "trace")
	cmd := programtest.Command(m.t, testrun.Patience(), "strace", append([]string{"-f", "-qq", "-e", "signal=none", "-o", trace, "-p", pid}, options...)...)
	require.NoError(m.t, cmd.Start())
	m.eventually(`test -z "$(grep -L "^TracerPid:[[:space:]]*[1-9]" /proc/` + pid + `/task/*/status)"`)
	meanwhile()
	require.NoError(m.t, cmd.Process.Signal(syscall.SIGINT))
	_ = cmd.Wait()
	return string(testrun.Must(os.ReadFile(trace))(m.t))
}

var written = regexp.MustCompile(`writev?\(\d+, (?:\[\{iov_base=)?"((?:\\x[0-9a-f]{2}){16})`)

const (
	other = iota
	notification
	answer
)

// sort classifies a traced write. A FUSE header is the length (4 bytes), the error or, for a
// notification, a code above 0 (4), and the request number (8), 0 for a notification.
func sort(line string) int {
	found := written.FindStringSubmatch(line)
	if found == nil {
		return other
	}
	header := strings.Split(found[1], `\x`)[1:]
	nothing := func(from, to int) bool { return strings.Join(header[from:to], "") == strings.Repeat("00", to-from) }
	switch {
	case header[4] != "00" && nothing(5, 16):
		return notification
	case nothing(2, 4) && (nothing(4, 8) || header[6] == "ff" && header[7] == "ff") && !nothing(8, 16) && nothing(13, 16):
		return answer
	}
	return other
}
