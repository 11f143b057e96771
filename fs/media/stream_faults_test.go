package media_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestAFullDiskOfTheCache reads a file that is larger than the disk of the cache, with some room
// and with none, and beside other readers.
func TestAFullDiskOfTheCache(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t) // 32 MiB
	m := newMount(t)
	m.stop()
	cache := filepath.Join(m.home, "cache")
	require.NoError(t, os.RemoveAll(cache))
	require.NoError(t, os.Symlink(disk, cache))
	m.start()
	_, content := m.largeFile(64 << 20)
	m.outside("f", content)
	m.sh(`cat f | cmp - ../f; tail -c 5000000 f | cmp - <(tail -c 5000000 ../f)`)
	m.sh(`head -c 40M /dev/zero > ../cache/filler 2>/dev/null || true; cat f | cmp - ../f & tail -c 20000000 f | cmp - <(tail -c 20000000 ../f) && wait $!`)
	m.sh(`rm ../cache/filler; cp f ../g; cmp ../f ../g`)
	require.Empty(t, m.failures.Events())
}

// TestAMappingOfAnOldVersion maps a file and reads its beginning. A colleague replaces it: what was read
// stays, and a page that cannot be had any more is a SIGBUS, with a line in errors.
func TestAMappingOfAnOldVersion(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	s, content := m.largeFile(20 << 20)
	m.outside("f", content)
	reader := m.command(`exec python3 -c '
import mmap, os, sys
f = os.open("media/f", os.O_RDONLY)
m = mmap.mmap(f, 0, prot=mmap.PROT_READ)
was = open("f", "rb").read()
assert m[:1000] == was[:1000]
print("ready", flush=True); sys.stdin.readline()
assert m[:1000] == was[:1000]
print("still", flush=True)
for i in range(0, len(was), 4096): assert m[i] == was[i]'`)
	in, err := reader.StdinPipe()
	require.NoError(t, err)
	var said strings.Builder
	out, err := reader.StdoutPipe()
	require.NoError(t, err)
	reader.Stderr = &said
	require.NoError(t, reader.Start())
	_, err = io.ReadFull(out, make([]byte, len("ready\n")))
	require.NoError(t, err, "%s", &said)
	s.set(func(s *contentServer) { s.content, s.tag = []byte("new"), `"new"` })
	m.colleaguePuts("new")
	m.eventually(func() bool { return m.sh(`head -c 3 f || true`) == "new" }) // an open may get the old version for a moment
	before := len(m.failures.Events())                                        // those that did
	_, _ = io.WriteString(in, "\n")
	rest, err := io.ReadAll(out)
	require.NoError(t, err)
	require.Equal(t, "still\n", string(rest), "%s", &said)
	require.ErrorContains(t, reader.Wait(), "bus error", "%s", &said)
	told := m.failures.Events()[before:]
	require.Len(t, told, 1)
	require.Equal(t, "ESTALE", told[0].Errno)
	require.Equal(t, "media/f", told[0].Path)
}

// offsets is a file in which each number of 8 bytes is its own offset.
type offsets struct{ at int64 }

const offsetsSize = 1 << 40

func (o *offsets) Read(p []byte) (int, error) {
	if o.at >= offsetsSize {
		return 0, io.EOF
	}
	n := int(min(int64(len(p)), offsetsSize-o.at)) &^ 7
	for i := 0; i < n; i += 8 {
		binary.BigEndian.PutUint64(p[i:], uint64(o.at)+uint64(i))
	}
	o.at += int64(n)
	return n, nil
}

func (o *offsets) Seek(to int64, whence int) (int64, error) {
	if o.at = to; whence == io.SeekEnd {
		o.at = offsetsSize + to
	}
	return o.at, nil
}

// TestAFileLargerThanAllDisks reads in a file of 1 TiB: its beginning, its end, places in between,
// and on from one of them. That costs what it costs in a small file.
func TestAFileLargerThanAllDisks(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	_, err := m.client.UploadFile(t.Context(), 0, "f", bytesContent("small"))
	require.NoError(t, err)
	size := regexp.MustCompile(`size="\d+" bytes="\d+"`)
	m.proxy.Alter(remote.GetTree, func(r *http.Response) {
		tree, _ := io.ReadAll(r.Body)
		tree = size.ReplaceAll(tree, fmt.Appendf(nil, `size="%d" bytes="%d"`, offsetsSize>>10, offsetsSize))
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(tree)), int64(len(tree))
		r.Header.Set("Content-Length", fmt.Sprint(len(tree)))
	})
	var sent atomic.Int64
	m.proxy.Answer(nil, func(w http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, ".asmx/") {
			return false
		}
		w.Header().Set("ETag", `"large"`)
		http.ServeContent(countedAnswer{w, &sent}, r, "", time.Time{}, new(offsets))
		return true
	})
	m.sh(`ls`)
	m.proxy.Reset()
	m.eventually(func() bool { return m.sh(`stat -c %s f`) == fmt.Sprint(offsetsSize) })
	m.sh(`python3 -c '
import os, random
f = os.open("f", os.O_RDONLY); size = os.fstat(f).st_size
def check(at, n):
    got = os.pread(f, n, at); assert len(got) == n, (at, len(got))
    for i in range(0, n, 8): assert int.from_bytes(got[i:i+8], "big") == at + i, (at, i)
check(0, 4096); check(size - 4096, 4096)
for _ in range(100): check(random.randrange(size // 8 - 512) * 8, 4096)
for i in range(64): check(size // 2 + i * 65536, 65536)'`)
	require.Less(t, m.proxy.Downloads(), 120)
	require.Less(t, sent.Load(), int64(64<<20), "bytes")
	disk, err := strconv.Atoi(m.sh(`du -sm ../cache | cut -f1`))
	require.NoError(t, err)
	require.Less(t, disk, 64, "MiB of the disk")
	require.Empty(t, m.failures.Events())
}

// countedAnswer counts the bytes of an answer.
type countedAnswer struct {
	http.ResponseWriter
	sent *atomic.Int64
}

func (c countedAnswer) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.sent.Add(int64(n))
	return n, err
}
