package remote

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// away is a service that cannot be reached before a time.
type away struct {
	until time.Time
	after time.Duration // that an attempt takes to fail
	proxy bool          // answers 502 in place of the service
	here  error         // what this machine lacks for a connection; nil: the service is away
	asked int
}

func (a *away) RoundTrip(r *http.Request) (*http.Response, error) {
	a.asked++
	failed := time.Now().Before(a.until)
	if failed && !a.proxy {
		time.Sleep(a.after)
		return nil, cmp.Or(a.here, error(syscall.ECONNREFUSED))
	}
	httptrace.ContextClientTrace(r.Context()).GotConn(httptrace.GotConnInfo{})
	answer := httptest.NewRecorder()
	if failed {
		answer.WriteHeader(http.StatusBadGateway)
	}
	io.WriteString(answer, result(Success, `<paper id="9" url="/a/" />`))
	resp := answer.Result()
	resp.Request = r
	return resp, nil
}

// outage is a client with time of its own. Its service begins to be away, for a time.
func outage(t *testing.T, lasts time.Duration) (*away, *Client) {
	a := &away{until: time.Now().Add(lasts)}
	c := testrun.Must(New(Options{BaseURL: "http://127.0.0.1:1", Username: testUser, Password: testPassword, Transport: a}))(t)
	t.Cleanup(c.Close)
	c.downloads.Transport = a
	return a, c
}

// outageCalls are a read, changes of both kinds, and a download.
var outageCalls = map[string]func(context.Context, *Client) error{
	"read":   func(ctx context.Context, c *Client) error { _, err := c.GetPaperUrlFromID(ctx, 5); return err },
	"change": func(ctx context.Context, c *Client) error { return c.SetSetting(ctx, 1, "a", "b") },
	"creation": func(ctx context.Context, c *Client) error {
		_, err := c.CreatePaper(ctx, Node{ID: 1, URL: "/"}, "A", "a")
		return err
	},
	"download": func(ctx context.Context, c *Client) error { return fetched(ctx, c, "/x") },
}

func fetched(ctx context.Context, c *Client, address string) error {
	r, err := c.Download(ctx, address, Part{})
	if err == nil {
		r.Close()
	}
	return err
}

// inOutages runs a test for each call, with pauses as short and as long as they can be.
func inOutages(t *testing.T, test func(t *testing.T, call func(context.Context, *Client) error, jitter func() float64)) {
	t.Parallel()
	for name, call := range outageCalls {
		t.Run(name, func(t *testing.T) {
			for _, random := range []float64{0, 0.99} {
				synctest.Test(t, func(t *testing.T) { test(t, call, func() float64 { return random }) })
			}
		})
	}
}

// TestAnOutageOfTwentySecondsFailsNoCall checks that a call that begins with an outage, and ends after it, succeeds.
func TestAnOutageOfTwentySecondsFailsNoCall(t *testing.T) {
	inOutages(t, func(t *testing.T, call func(context.Context, *Client) error, jitter func() float64) {
		_, c := outage(t, 20*time.Second)
		c.jitter = jitter
		began := time.Now()
		require.NoError(t, call(t.Context(), c))
		require.LessOrEqual(t, time.Since(began), 20*time.Second+longestPause)
		require.Zero(t, c.Stats().AwaySince)
	})
}

// TestAnOutageEndsACall checks that a call in a longer outage fails before those give up that wait half a minute, and
// that the next one of any kind fails at once, also if each attempt takes its time. The end of a context ends the wait.
func TestAnOutageEndsACall(t *testing.T) {
	inOutages(t, func(t *testing.T, call func(context.Context, *Client) error, jitter func() float64) {
		a, c := outage(t, time.Hour)
		c.jitter = jitter
		began := time.Now()
		fails(t, call(t.Context(), c), Unreachable)
		require.Greater(t, time.Since(began), 20*time.Second)
		require.LessOrEqual(t, time.Since(began), patience)
		require.Equal(t, time.Now(), c.Stats().AwaySince)
		for name, next := range outageCalls {
			began, asked := time.Now(), a.asked
			fails(t, next(t.Context(), c), Unreachable)
			require.Zero(t, time.Since(began), name)
			require.LessOrEqual(t, a.asked, asked+1, name)
		}

		a, c = outage(t, time.Hour)
		c.jitter, a.after = jitter, dialLimit
		began = time.Now()
		fails(t, call(t.Context(), c), Unreachable)
		require.Less(t, time.Since(began), patience+dialLimit)

		_, c = outage(t, time.Hour)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began = time.Now()
		require.Error(t, call(ctx, c))
		require.Equal(t, time.Second, time.Since(began))
		require.Zero(t, c.Stats().AwaySince)
	})
}

// TestAnOutageBehindAProxyIsWaitedForOnce checks that calls are not repeated either after one that was in vain because a
// proxy answers for the service, and that they are again once the service has answered.
func TestAnOutageBehindAProxyIsWaitedForOnce(t *testing.T) {
	inOutages(t, func(t *testing.T, call func(context.Context, *Client) error, jitter func() float64) {
		a, c := outage(t, time.Hour)
		a.proxy, c.jitter = true, jitter
		began := time.Now()
		fails(t, call(t.Context(), c), Status)
		require.Greater(t, time.Since(began), 20*time.Second)
		require.LessOrEqual(t, time.Since(began), patience)
		for name, next := range outageCalls {
			began := time.Now()
			fails(t, next(t.Context(), c), Status)
			require.Zero(t, time.Since(began), name)
		}

		a.until = time.Now()
		require.NoError(t, call(t.Context(), c))
		require.Zero(t, c.Stats().Trouble)
		a.until = time.Now().Add(20 * time.Second)
		require.NoError(t, call(t.Context(), c))
	})
}

// TestAReadOfContentFindsTheServiceAway checks that a download from the service's own address that was in vain says that
// the service is away, and that one while it is away asks once; an answer says that it is back. Other hosts say nothing.
func TestAReadOfContentFindsTheServiceAway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a, c := outage(t, time.Hour)
		fails(t, fetched(t.Context(), c, "http://127.0.0.1:2/x"), Unreachable)
		require.Zero(t, c.Stats().AwaySince)

		fails(t, fetched(t.Context(), c, "/x"), Unreachable)
		since := c.Stats().AwaySince
		require.Equal(t, time.Now(), since)
		for range 3 {
			asked := a.asked
			fails(t, fetched(t.Context(), c, "/x"), Unreachable)
			require.Equal(t, time.Now(), since, "at once")
			require.Equal(t, asked+1, a.asked)
		}
		began := time.Now()
		fails(t, fetched(t.Context(), c, "http://127.0.0.1:2/x"), Unreachable)
		require.NotZero(t, time.Since(began), "the service's trouble is not the other host's")
		a.until = time.Now()
		require.NoError(t, fetched(t.Context(), c, "/x"))
		require.Zero(t, c.Stats().AwaySince)
	})
}

// TestAMountWithoutDescriptorsBlamesNoService checks that a call tries again while no descriptor is free for its connection, and
// what it says if none becomes free.
func TestAMountWithoutDescriptorsBlamesNoService(t *testing.T) {
	inOutages(t, func(t *testing.T, call func(context.Context, *Client) error, jitter func() float64) {
		a, c := outage(t, 20*time.Second)
		c.jitter, a.here = jitter, os.NewSyscallError("socket", syscall.ENFILE)
		require.NoError(t, call(t.Context(), c))

		a, c = outage(t, time.Hour)
		c.jitter, a.here = jitter, os.NewSyscallError("socket", syscall.EMFILE)
		err := call(t.Context(), c)
		fails(t, err, Local)
		require.ErrorIs(t, err, syscall.EMFILE)
		require.ErrorContains(t, err, "ulimit -n")
		require.Zero(t, c.Stats().AwaySince, "the service is not taken for away")
	})
}
