package mounttest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestPartlyReadFilesLeaveDescriptors checks that a program that reads the first byte of more files than the mount may
// have descriptors leaves it some: other programs still write and read. It reads each file as long as any other.
func TestPartlyReadFilesLeaveDescriptors(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	const files, more = 50, 36
	for i := range files {
		testrun.Must(m.client().UploadFile(t.Context(), 0, fmt.Sprintf("film%d", i), bytesOf("film")))(t)
	}
	m.proxy.Alter(remote.GetTree, func(r *http.Response) {
		tree, _ := io.ReadAll(r.Body)
		tree = regexp.MustCompile(`size="\d+" bytes="4"`).ReplaceAll(tree, []byte(`size="2048" bytes="2097152"`))
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(tree)), int64(len(tree))
		r.Header.Set("Content-Length", fmt.Sprint(len(tree)))
	})
	film := make([]byte, 2<<20)
	m.proxy.Answer(nil, func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, "/film") {
			return false
		}
		w.Header().Set("ETag", `"film"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(film))
		return true
	})
	m.sh(`"$PAPERFS" refresh media; test $(stat -c %s media/film0) = 2097152; printf first > media/first; cat media/first`)
	limit := unix.Rlimit{Cur: uint64(m.descriptors() + more)}
	limit.Max = limit.Cur
	require.NoError(t, unix.Prlimit(m.process.Process.Pid, unix.RLIMIT_NOFILE, &limit, nil))
	m.sh(`head -qc1 media/film* > /dev/null; printf second > media/second; "$PAPERFS" wait .; cat media/second media/film7 | wc -c`)
	require.Less(t, m.descriptors(), int(limit.Cur))
	require.Equal(t, sum("second"), m.atService()["second"])
}
