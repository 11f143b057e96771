package remote

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// files serves one file like a web server, with or without ranges.
func files(t *testing.T, data string, ranges bool) (*standIn, *Client) {
	return serve(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		switch {
		case r.URL.Path == "/gone":
			http.Error(w, "no such file", http.StatusNotFound)
		case r.URL.Path == "/moved":
			http.Redirect(w, r, "/file", http.StatusFound)
		case ranges:
			http.ServeContent(w, r, "", time.Time{}, strings.NewReader(data))
		default:
			io.WriteString(w, data)
		}
	})
}

func TestDownload(t *testing.T) {
	t.Parallel()
	data := strings.Repeat("0123456789", 50_000)
	for _, ranges := range []bool{true, false} {
		s, c := files(t, data, ranges)
		for _, offset := range []int{0, 1, 499_999, 500_000} {
			r := testrun.Must(c.Download(ctx, s.URL+"/file?x=1#y", Part{From: int64(offset)}))(t)
			got := testrun.Must(io.ReadAll(r))(t)
			require.NoError(t, r.Close())
			require.Equal(t, data[offset:], string(got))
		}
		r := testrun.Must(c.Download(ctx, "/moved", Part{From: 10}))(t)
		require.Equal(t, data[10:], string(testrun.Must(io.ReadAll(r))(t)))
		require.NoError(t, r.Close())

		_, err := c.Download(ctx, s.URL+"/gone", Part{})
		require.Equal(t, 404, fails(t, err, Status).Status)
		require.Zero(t, c.Stats().Budget.Used)
		for _, request := range s.requests() {
			require.Empty(t, request.body)
			require.NotContains(t, request.path, "assword")
		}
	}
}

func TestDownloadRefusesStrangeAddresses(t *testing.T) {
	t.Parallel()
	s, c := serve(t, answers("x"))
	for _, address := range []string{"file:///etc/passwd", "http://a:b@127.0.0.1/", "http://", "http://[", "javascript:x"} {
		_, err := c.Download(ctx, address, Part{})
		fails(t, err, Local)
	}
	require.Empty(t, s.requests())
}

func TestDownloadStaysOnItsHost(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("redirected to another host") }))
	defer other.Close()
	_, c := serve(t, func(_ int, w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, http.StatusFound) })
	_, err := c.Download(ctx, "/x", Part{})
	require.Equal(t, 302, fails(t, err, Status).Status)
}

func TestDownloadTellsWhatBroke(t *testing.T) {
	t.Parallel()
	const data = "0123456789"
	release := make(chan struct{})
	defer close(release)
	_, c := serve(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(2*len(data)))
		io.WriteString(w, data)
		w.(http.Flusher).Flush()
		if r.URL.Path == "/cut" {
			panic(http.ErrAbortHandler)
		}
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}, func(o *Options) { o.StallLimit = shortStall })
	for path, kind := range map[string]Kind{"/cut": Broken, "/stall": Stalled} {
		r := testrun.Must(c.Download(ctx, path, Part{}))(t)
		got, err := io.ReadAll(r)
		fails(t, err, kind)
		require.Equal(t, data, string(got))
		require.NoError(t, r.Close())
	}
	cancelled, cancel := context.WithCancel(ctx)
	r := testrun.Must(c.Download(cancelled, "/stall", Part{}))(t)
	cancel()
	_, err := io.ReadAll(r)
	fails(t, err, Cancelled)
	require.NoError(t, r.Close())
	_, err = c.Download(cancelled, "/stall", Part{})
	fails(t, err, Cancelled)
}

func TestDownloadIsBegunAgain(t *testing.T) {
	t.Parallel()
	s, c := serve(t, then(lost, status(503, ""), answers("data")))
	r := testrun.Must(c.Download(ctx, "/x", Part{}))(t)
	require.Equal(t, "data", string(testrun.Must(io.ReadAll(r))(t)))
	require.NoError(t, r.Close())
	require.Len(t, s.requests(), 3)

	// A part other than the requested one is an error.
	_, c = serve(t, status(http.StatusPartialContent, "data", "Content-Range", "bytes 0-3/4"))
	_, err := c.Download(ctx, "/x", Part{From: 2})
	fails(t, err, Broken)
}

func TestDownloadOfAPart(t *testing.T) {
	t.Parallel()
	data := strings.Repeat("0123456789", 1000)
	_, c := serve(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"new"`)
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(data))
	})
	for _, part := range []Part{{}, {To: 10_000}, {From: 0, To: 10}, {From: 9_990}, {From: 9_990, To: 20_000}, {From: 5, To: 6, Tag: `"new"`}, {From: 10_000}, {From: 10_000, To: 10_001}, {From: 20_000}} {
		r, err := c.Download(ctx, "/x", part)
		require.NoError(t, err, "%+v", part)
		got := testrun.Must(io.ReadAll(r))(t)
		require.NoError(t, r.Close())
		end := int64(len(data))
		if part.To > 0 {
			end = min(end, part.To)
		}
		require.Equal(t, data[min(part.From, end):end], string(got), "%+v", part)
		require.EqualValues(t, len(data), r.Size)
		require.Equal(t, part != Part{}, r.Ranges, "%+v", part)
		if end > part.From {
			require.Equal(t, `"new"`, r.Tag)
		}
	}
	_, err := c.Download(ctx, "/x", Part{To: 10, Tag: `"old"`})
	fails(t, err, Superseded)
}

// TestDownloadOfAPartFromOddServers checks answers that are not what was asked for: another part, half
// a part, more than a part, another version, and a service without ranges.
func TestDownloadOfAPartFromOddServers(t *testing.T) {
	t.Parallel()
	for _, held := range []string{"bytes 0-9/20", "bytes 5-8/20", "bytes 5-10/20", "bytes 5-9/7", "bytes */20", "5-9/20", "bytes 5-9", "bytes 9-5/20", ""} {
		_, c := serve(t, status(http.StatusPartialContent, "56789", "Content-Range", held))
		_, err := c.Download(ctx, "/x", Part{From: 5, To: 10})
		fails(t, err, Broken)
	}
	for _, body := range []string{"5678", "567890"} {
		_, c := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Range", "bytes 5-9/*")
			w.WriteHeader(http.StatusPartialContent)
			w.(http.Flusher).Flush() // no Content-Length
			io.WriteString(w, body)
		})
		r := testrun.Must(c.Download(ctx, "/x", Part{From: 5, To: 10}))(t)
		require.EqualValues(t, -1, r.Size)
		_, err := io.ReadAll(r)
		fails(t, err, Broken)
		require.NoError(t, r.Close())
	}
	for _, tag := range []string{`"new"`, `W/"old"`, ""} {
		_, c := serve(t, status(http.StatusPartialContent, "01", "ETag", tag, "Content-Range", "bytes 0-1/10"))
		_, err := c.Download(ctx, "/x", Part{To: 2, Tag: `"old"`})
		fails(t, err, Superseded)
		_, c = serve(t, status(http.StatusOK, "0123456789", "ETag", tag))
		_, err = c.Download(ctx, "/x", Part{Tag: `"old"`})
		fails(t, err, Superseded)
		r := testrun.Must(c.Download(ctx, "/x", Part{From: 5, To: 8}))(t)
		require.False(t, r.Ranges)
		require.Equal(t, "56789", string(testrun.Must(io.ReadAll(r))(t)))
		require.NoError(t, r.Close())
	}
}
