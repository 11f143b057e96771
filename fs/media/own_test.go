package media_test

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// embedded is a mount whose service runs in this process.
type embedded struct {
	*mount
	service *servicetest.Fixture
	gets    *atomic.Int64 // requests of content
}

func newEmbedded(t *testing.T, options ...func(*media.Options)) *embedded {
	t.Helper()
	if os.Getenv(servicetest.Engine) != "" {
		t.Skip("the contents of this service are no files")
	}
	s := servicetest.Start(t)
	m := newMountOn(t, s, append(options, func(o *media.Options) {
		o.Own = func(id int64, sha256 [32]byte) (*os.File, error) {
			return s.Service.MediaFile(context.Background(), "127.0.0.1", id, sha256)
		}
	})...)
	e := &embedded{m, s, new(atomic.Int64)}
	m.proxy.Answer(nil, func(_ http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, ".asmx/") {
			e.gets.Add(1)
		}
		return false
	})
	return e
}

// file writes a random file beside the mount.
func (e *embedded) file(name string, size int, seed byte) []byte {
	e.t.Helper()
	content := noise(size, seed)
	e.outside(name, content)
	return content
}

// contents returns the files of the service's contents.
func (e *embedded) contents() []string { return filesIn(e.t, filepath.Join(e.service.Data, "content")) }

// copies returns the files with content on this machine outside of the service.
func (e *embedded) copies() []string {
	return append(filesIn(e.t, filepath.Join(e.home, "cache", "media")), filesIn(e.t, filepath.Join(e.home, "state", "spool"))...)
}

// alone waits until the service alone has content.
func (e *embedded) alone() {
	e.t.Helper()
	e.eventually(func() bool { return len(e.copies()) == 0 })
}

func noise(size int, seed byte) []byte {
	content := make([]byte, size)
	_, _ = rand.NewChaCha8([32]byte{seed}).Read(content)
	return content
}

func filesIn(t *testing.T, dir string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && d.Name() != "id" {
			paths = append(paths, path)
		}
		return err
	})
	if !os.IsNotExist(err) {
		require.NoError(t, err)
	}
	return paths
}

// flip changes one byte of the service's only content.
func (e *embedded) flip(at int64) {
	e.t.Helper()
	require.Len(e.t, e.contents(), 1)
	f, err := os.OpenFile(e.contents()[0], os.O_RDWR, 0)
	require.NoError(e.t, err)
	defer f.Close()
	b := make([]byte, 1)
	_, err = f.ReadAt(b, at)
	require.NoError(e.t, err)
	b[0] ^= 1
	_, err = f.WriteAt(b, at)
	require.NoError(e.t, err)
}

// TestAnEmbeddedServiceHasTheOnlyCopy copies a file into the mount and reads it, also in a new mount
// with an empty cache that is smaller than the file: no byte is fetched or stored again.
func TestAnEmbeddedServiceHasTheOnlyCopy(t *testing.T) {
	t.Parallel()
	const size = 8<<20 + 5
	e := newEmbedded(t, func(o *media.Options) { o.CacheSize = 1 << 20; o.AllowDelete = true })
	e.file("f", size, 1)
	only := func(contents int) {
		t.Helper()
		e.alone()
		require.Len(t, e.contents(), contents)
		require.Zero(t, e.gets.Load())
		require.Empty(t, e.failures.Events())
	}
	e.sh(`cp ../f f`)
	only(1)
	e.sh(`cat f | cmp - ../f; cat f | cmp - ../f`)
	only(1)
	e.stop()
	require.NoError(t, os.RemoveAll(filepath.Join(e.home, "cache")))
	e.start()
	e.sh(`tail -c 100 f | cmp - <(tail -c 100 ../f); cmp f ../f; dd if=f bs=1M iflag=direct status=none | cmp - ../f`)
	e.sh(`python3 -c '
import mmap
f, g = open("f", "rb"), open("../f", "rb").read(); m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)
assert m[5000000:5005000] == g[5000000:5005000]; assert m[:] == g'`)
	only(1)
	e.sh(`mv f g; cmp g ../f`)
	only(1)
	const replaced = 2 // the service keeps each version for a day
	e.sh(`echo more >> g; echo more >> ../f; cmp g ../f; truncate -s 1000000 g ../f; cmp g ../f`)
	only(1 + replaced)
	e.sh(`cp g h; cp ../f g; cmp h g`)
	only(2 + replaced) // g was replaced by the same once more, which keeps nothing
}

// TestAReaderOfTheServicesFileKeepsItsVersion reads files slowly while a colleague replaces and deletes
// them, and the service removes what they were.
func TestAReaderOfTheServicesFileKeepsItsVersion(t *testing.T) {
	t.Parallel()
	e := newEmbedded(t)
	var finish []func() string
	var want []string
	for version := range byte(3) {
		content := string(noise(700_000, version))
		e.colleaguePuts(content)
		e.sh(`head -c 1 f`)
		for how := range versionReaders {
			finish, want = append(finish, e.readVersion(how)), append(want, sum(content))
		}
	}
	e.colleaguePuts("")
	for _, content := range e.contents() { // as the service does a day later
		require.NoError(t, os.Remove(content))
	}
	for i, finish := range finish {
		require.Equal(t, want[i], finish())
	}
	e.alone()
	require.Zero(t, e.gets.Load())
	require.Empty(t, e.failures.Events())
}

// TestADamagedFileOfTheServiceIsNotReadToItsEnd is TestNoProgramEndsWellOnDamagedContent for the
// service's own file.
func TestADamagedFileOfTheServiceIsNotReadToItsEnd(t *testing.T) {
	t.Parallel()
	for _, script := range []string{
		`cp f ../g`, `cat f`, `set -o pipefail; tar cf - f | cat`, `cmp f ../f`, `rsync f ../g`, `tail -c 5 f; cp f ../g`, `head -c 3000000 f; cat f`, `cat f; cat f`, `echo more >> f`,
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			const size = 4<<20 + 1000
			e := newEmbedded(t)
			e.file("f", size, 1)
			e.sh(`cp ../f f`)
			e.alone()
			places := []int64{0, 3333333, size - 1}
			if !testrun.All() {
				i := len(script) % len(places) // each way of reading meets damage at one of them
				places = places[i : i+1]
			}
			for _, at := range places {
				e.flip(at)
				fails := e.fails(`( ` + script + ` ) > /dev/null`)
				if !strings.HasPrefix(script, "cmp") { // it ends at the first difference
					require.Regexp(t, "Input/output error|File shrank", fails, "byte %d", at)
				}
				e.flip(at)
			}
			e.alone()
			if !strings.HasPrefix(script, "cmp") { // what it was given was not judged, and the kernel may keep that
				e.sh(`cmp f ../f`)
				require.NotEmpty(t, e.failures.Events())
			}
		})
	}
}

// TestAnOpenOfWhatAColleagueReplacedShowsOneVersion checks that an open before the mount knows of the change shows the new
// version, if the mount has to ask where the file is, else either, and never takes one for damage of the other.
func TestAnOpenOfWhatAColleagueReplacedShowsOneVersion(t *testing.T) {
	t.Parallel()
	for _, known := range []bool{false, true} {
		e := newEmbedded(t)
		script := `cmp f ../new`
		if known {
			script += ` || cmp f ../f`
		} else {
			e.proxy.Alter(remote.UploadFile, func(r *http.Response) { // a service that does not tell the address
				body, err := io.ReadAll(r.Body)
				assert.NoError(t, err)
				body = regexp.MustCompile(`<url>.*</url>`).ReplaceAll(body, nil)
				r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
				r.Header.Del("Content-Length")
			})
		}
		e.file("f", 1<<20, 1)
		e.sh(`cp ../f f`)
		e.settled()
		_, err := e.client.UploadFile(t.Context(), 0, "f", bytesContent(e.file("new", 1<<20, 2)))
		require.NoError(t, err)
		e.sh(script)
		require.Empty(t, e.failures.Events())
	}
}

// TestTheServicesFileIsReadOnce checks that the kernel keeps what was read of the service's file, the
// whole or a part, from one open to the next.
func TestTheServicesFileIsReadOnce(t *testing.T) {
	t.Parallel()
	e := newEmbedded(t)
	e.stop()
	count := &countReads{}
	e.under = func(raw fuse.RawFileSystem) fuse.RawFileSystem { count.RawFileSystem = raw; return count }
	e.start()
	e.colleaguePuts(string(e.file("f", 2<<20, 1)))
	for _, script := range []string{`head -c 100 f | cmp - <(head -c 100 ../f)`, `cmp f ../f`} {
		e.sh(script)
		e.settled()
		e.eventually(func() bool { return count.during(func() { e.sh(script + "\n" + script) }) == 0 })
	}
}
