package media_test

import (
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/stretchr/testify/require"
)

// slowReplies delays the replies to READs, most of all the READ at the start of the file. This makes
// replies in the wrong order likely. Correct behaviour does not depend on the delays.
type slowReplies struct{ fuse.RawFileSystem }

func (s slowReplies) Read(cancel <-chan struct{}, in *fuse.ReadIn, buf []byte) (fuse.ReadResult, fuse.Status) {
	found, status := s.RawFileSystem.Read(cancel, in, buf)
	if in.Offset == 0 {
		time.Sleep(200 * time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond)
	return found, status
}

// reading is a program that reads a file from an offset to its end, without asking for its size.
type reading struct {
	*exec.Cmd
	out bytes.Buffer
}

// read starts a program that opens f, and returns when f is open. The program reads once goOn is
// called.
func (m *mount) read(from int) (r *reading, goOn func()) {
	m.t.Helper()
	r = &reading{Cmd: m.command(fmt.Sprintf(`exec perl -e 'open F, "<", "media/f" or die; sysseek F, %d, 0; $| = 1;
		print STDERR "open"; <STDIN>; while ($n = sysread F, $b, 65536) { print $b } die $! unless defined $n'`, from))}
	r.Stdout = &r.out
	in, err := r.StdinPipe()
	require.NoError(m.t, err)
	said, err := r.StderrPipe()
	require.NoError(m.t, err)
	require.NoError(m.t, r.Start())
	_, err = io.ReadFull(said, make([]byte, 4))
	require.NoError(m.t, err)
	return r, func() { _ = in.Close() }
}

// TestRepliesUnderWay checks that programs whose reads are being answered while a colleague shortens
// the file read the old version to its end.
func TestRepliesUnderWay(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.stop()
	m.gaps = true
	m.under = func(raw fuse.RawFileSystem) fuse.RawFileSystem { return slowReplies{raw} }
	m.start()
	m.colleaguePuts(strings.Repeat("long", 250_000))
	m.eventually(func() bool { return m.sh(`stat -c %s f; head -c 1 f`) == "1000000\nl" })
	var readers []*reading
	offsets := []int{0, 131_072, 262_144, 500_000, 900_000}
	for _, at := range offsets {
		r, goOn := m.read(at)
		readers = append(readers, r)
		goOn()
	}
	for size := 400_000; size > 10; size /= 10 {
		m.colleaguePuts(strings.Repeat("x", size))
	}
	for i, r := range readers {
		require.NoError(t, r.Wait())
		want := strings.Repeat("long", 250_000)[offsets[i]:]
		require.True(t, want == r.out.String(), "from %d: %d bytes and %d NULs, not %d bytes",
			offsets[i], r.out.Len(), bytes.Count(r.out.Bytes(), []byte{0}), len(want))
	}
}
