package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// large is more content than a service skips before an early answer.
const large = 40 << 20

// running is a service that a test may close.
type running struct {
	*Embedded
	Close func() error
}

// bothWays runs a test with a service and a client over HTTP, and with a client in this process.
func bothWays(t *testing.T, test func(t *testing.T, e running, o remote.Options)) {
	for _, way := range []string{"HTTP", "in process"} {
		t.Run(way, func(t *testing.T) {
			e := running{Embedded: startEmbedded(t, t.TempDir())}
			e.Close = sync.OnceValue(e.Embedded.Close)
			t.Cleanup(func() { require.NoError(t, e.Close()) })
			o := remote.Options{BaseURL: e.URL, Username: e.Username, Password: e.Password}
			if way != "HTTP" {
				o.Transport = e.Transport()
			}
			test(t, e, o)
		})
	}
}

func client(t *testing.T, o remote.Options) *remote.Client {
	c := testrun.Must(remote.New(o))(t)
	t.Cleanup(c.Close)
	return c
}

func kindOf(t *testing.T, err error) remote.Kind {
	var e *remote.Error
	require.ErrorAs(t, err, &e)
	return e.Kind
}

// names returns the media files of the service.
func names(t *testing.T, c *remote.Client) (all []string) {
	tree := testrun.Must(c.GetTree(t.Context()))(t)
	for _, f := range tree.Files {
		all = append(all, f.Name)
	}
	return all
}

// metric returns a number that the service reports to its operator.
func metric(t *testing.T, e running, name string) int64 {
	w := httptest.NewRecorder()
	e.service.Operator().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	found := regexp.MustCompile(`(?m)^` + name + ` (.*)$`).FindStringSubmatch(w.Body.String())
	require.NotNil(t, found)
	return int64(testrun.Must(strconv.ParseFloat(found[1], 64))(t))
}

// received returns how many bytes of bodies the service says it has read.
func received(t *testing.T, e running) int64 {
	return metric(t, e, "paperfs_service_received_bytes_total")
}

func TestAnEarlyAnswerIsSeen(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, _ running, o remote.Options) {
		o.Password = "wrong"
		data := letters(large)
		_, err := client(t, o).UploadFile(t.Context(), 0, "refused", data)
		var e *remote.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, remote.LoginSecurityViolation, e.Code)
		require.Less(t, data.read.Load(), int64(2*large), "once for the length of the form, and not again to the end")
	})
}

func TestAClosedServiceIsAClosedPort(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, e running, o remote.Options) {
		c := client(t, o)
		require.Empty(t, names(t, c))
		entered, release := make(chan struct{}), make(chan struct{})
		data := letters(3 << 20)
		data.at = func(offset int64) error {
			if offset > 1<<20 {
				select {
				case <-entered:
				default:
					close(entered)
				}
				<-release
			}
			return nil
		}
		uploaded := make(chan error, 1)
		go func() {
			_, err := c.UploadFile(t.Context(), 0, "under way", data)
			uploaded <- err
		}()
		<-entered
		require.Eventually(t, func() bool { return metric(t, e, "paperfs_service_requests_under_way") == 1 }, testrun.Patience(), time.Millisecond)
		closed := make(chan error, 1)
		go func() { closed <- e.Close() }()
		other := client(t, o)
		require.Eventually(t, func() bool {
			_, err := other.GetTree(remote.Once(t.Context()))
			return errors.Is(err, syscall.ECONNREFUSED)
		}, testrun.Patience(), time.Millisecond)
		_, err := client(t, o).GetTree(remote.Once(t.Context()))
		require.Equal(t, remote.Unreachable, kindOf(t, err))
		close(release)
		require.NoError(t, <-uploaded, "running requests are finished")
		require.NoError(t, <-closed)
	})
}

// serveInProcess serves a handler to this process.
func serveInProcess(t *testing.T, h http.HandlerFunc) *inProcess {
	p := newInProcess(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1})
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, ctx, p, p.toService(h), nil, quiet) }()
	t.Cleanup(func() { stop(); require.NoError(t, <-ended) })
	return p
}

func get(t *testing.T, ctx context.Context, p http.RoundTripper) (*http.Response, error) {
	req := testrun.Must(http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1:1/a%20b?c", nil))(t)
	return p.RoundTrip(req)
}

func TestAPanicEndsOneRequest(t *testing.T) {
	t.Parallel()
	p := serveInProcess(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.Header.Get("How") {
		case "":
			fmt.Fprint(w, r.RequestURI, r.RemoteAddr != "", r.Host)
		case "begun":
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, "half")
			panic(http.ErrAbortHandler)
		default:
			panic("a handler's own")
		}
	})
	for _, how := range []string{"at once", "begun", ""} {
		req := testrun.Must(http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:1/a%20b?c", nil))(t)
		req.Header.Set("How", how)
		resp, err := p.RoundTrip(req)
		var text []byte
		if err == nil {
			text, err = io.ReadAll(resp.Body)
			resp.Body.Close()
		}
		if how == "" {
			require.NoError(t, err)
			require.Equal(t, "/a%20b?ctrue127.0.0.1:1", string(text))
			continue
		}
		require.Error(t, err)
	}
}

// TestALongAnswerWaitsForItsReader checks that the service's request ends if the client
// disconnects, and that the answer is sent as far as the client reads it.
func TestALongAnswerWaitsForItsReader(t *testing.T) {
	t.Parallel()
	var wrote atomic.Int64
	left := make(chan error, 1)
	p := serveInProcess(t, func(w http.ResponseWriter, r *http.Request) {
		part := make([]byte, 32<<10)
		for r.Context().Err() == nil {
			n, err := w.Write(part)
			wrote.Add(int64(n))
			if err != nil {
				break
			}
		}
		<-r.Context().Done()
		left <- r.Context().Err()
	})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	resp := testrun.Must(get(t, ctx, p))(t)
	defer resp.Body.Close()
	for read := int64(0); read < 64<<20; {
		n := testrun.Must(resp.Body.Read(make([]byte, 64<<10)))(t)
		read += int64(n)
		require.Less(t, wrote.Load(), read+1<<20)
	}
	cancel()
	_, err := io.Copy(io.Discard, resp.Body)
	require.ErrorIs(t, err, context.Canceled)
	require.Error(t, <-left)
}

func TestDeadlinesInProcess(t *testing.T) {
	t.Parallel()
	failed := make(chan error, 2)
	p := serveInProcess(t, func(w http.ResponseWriter, r *http.Request) {
		c := http.NewResponseController(w)
		if r.Method == http.MethodPost {
			_ = c.SetReadDeadline(time.Now().Add(time.Millisecond))
			_, err := io.Copy(io.Discard, r.Body)
			failed <- err
			return
		}
		_ = c.SetWriteDeadline(time.Now().Add(time.Millisecond))
		var err error
		for err == nil {
			_, err = w.Write(make([]byte, 32<<10))
		}
		failed <- err
	})
	body, never := io.Pipe()
	defer never.Close()
	ctx, cancel := context.WithTimeout(t.Context(), testrun.Patience())
	defer cancel()
	req := testrun.Must(http.NewRequestWithContext(ctx, http.MethodPost, "http://127.0.0.1:1/", body))(t)
	go func() {
		if resp, err := p.RoundTrip(req); err == nil {
			resp.Body.Close()
		}
	}()
	var timeout interface{ Timeout() bool }
	require.ErrorAs(t, <-failed, &timeout)
	require.True(t, timeout.Timeout())

	if resp, err := get(t, ctx, p); err == nil { // otherwise nothing arrived in time
		defer resp.Body.Close()
	}
	require.ErrorAs(t, <-failed, &timeout)
	require.True(t, timeout.Timeout())
}

// TestTheSameIsSentAgain checks that a retry of a request hands the file over again.
func TestTheSameIsSentAgain(t *testing.T) {
	t.Parallel()
	whole := testrun.Must(os.Open(os.DevNull))(t)
	defer whole.Close()
	var bodies []string
	o := remote.Options{BaseURL: "http://127.0.0.1:1", Username: "u", Password: "p"}
	var p *inProcess
	p = serveInProcess(t, func(w http.ResponseWriter, r *http.Request) {
		_, handed := p.files.Load(r.Header.Get(fileHeader))
		require.True(t, handed)
		body, _ := io.ReadAll(r.Body)
		bodies = append(bodies, string(body))
		switch len(bodies) {
		case 1:
			http.Redirect(w, r, r.RequestURI, http.StatusTemporaryRedirect)
		case 2:
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
		default:
			w.Header().Set("Content-Type", "text/xml")
			fmt.Fprint(w, "<result><code>SUCCESS</code><message/><data><fileid>1</fileid></data></result>")
		}
	})
	o.Transport = p
	testrun.Must(client(t, o).UploadFile(t.Context(), 0, "a", onDisk{letters(1 << 20), whole}))(t)
	require.Len(t, bodies, 3)
	require.Equal(t, bodies[0], bodies[1])
	require.Equal(t, bodies[0], bodies[2])
}
