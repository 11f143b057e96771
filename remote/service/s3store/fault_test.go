package s3store

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

const mib = 1 << 20

// faulty opens contents through a proxy.
func faulty(t testing.TB) (s *Store, p *enginetest.Proxy, address string) {
	t.Helper()
	server := enginetest.SharedObjectStore(t)
	p = server.Proxy(t)
	address = server.AddressBesideVia(t, p.Host)
	place := testrun.Must(ParsePlace(address))(t)
	s = testrun.Must(newStore(place, records(t), 3, standstill))(t)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s, p, address
}

// isComplete matches the request that assembles an object.
func isComplete(r *http.Request) bool {
	return r.Method == http.MethodPost && r.URL.Query().Has("uploadId")
}

func TestAnAnswerThatIsCutIsReadOn(t *testing.T) {
	t.Parallel()
	s, p, _ := faulty(t)
	content := storetest.Bytes(1, 9*mib)
	key := storetest.WriteContent(t, s, content)
	p.Seen()
	p.Set(func(w http.ResponseWriter, r *http.Request, forward http.Handler) {
		enginetest.Truncated(w, r, forward, 2*mib)
	})
	require.True(t, bytes.Equal(content, storetest.ReadContent(t, s, key, 0, 9*mib)))
	require.Len(t, p.Seen(), 1+5, "received bytes are not requested again")
	p.Set(func(w http.ResponseWriter, r *http.Request, forward http.Handler) {
		enginetest.Truncated(w, r, forward, 100)
	})
	require.Equal(t, content[:250], storetest.ReadContent(t, s, key, 0, 250))
}

func TestASlowAnswerIsWaitedFor(t *testing.T) {
	t.Parallel()
	s, p, _ := faulty(t)
	content := storetest.Bytes(2, mib)
	key := storetest.WriteContent(t, s, content)
	p.Set(func(w http.ResponseWriter, r *http.Request, forward http.Handler) {
		enginetest.Slow(w, r, forward, 64<<10, 5*time.Millisecond)
	})
	require.True(t, bytes.Equal(content, storetest.ReadContent(t, s, key, 0, mib)))
}

// TestRequestsAreSentAgain fails each kind of request once in each way.
func TestRequestsAreSentAgain(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]enginetest.Hook{
		"cut":      func(w http.ResponseWriter, r *http.Request, forward http.Handler) { enginetest.Cut() },
		"cut body": func(w http.ResponseWriter, r *http.Request, forward http.Handler) { enginetest.CutBody(r, mib) },
		"unavailable": func(w http.ResponseWriter, r *http.Request, forward http.Handler) {
			enginetest.Status(w, 503, "SlowDown")
		},
		"failed": func(w http.ResponseWriter, r *http.Request, forward http.Handler) {
			enginetest.Status(w, 500, "InternalError")
		},
		"lost answer": func(w http.ResponseWriter, r *http.Request, forward http.Handler) { enginetest.Lost(r, forward) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, p, address := faulty(t)
			var count atomic.Int64
			p.Set(func(w http.ResponseWriter, r *http.Request, forward http.Handler) {
				if count.Add(1)%2 == 1 {
					fail(w, r, forward)
					return
				}
				forward.ServeHTTP(w, r)
			})
			for _, size := range []int{1, 17 * mib} {
				content := storetest.Bytes(3, size)
				key := storetest.WriteContent(t, s, content)
				require.True(t, bytes.Equal(content, storetest.ReadContent(t, s, key, 0, int64(size))))
			}
			p.Set(nil)
			names, uploads := enginetest.SharedObjectStore(t).Objects(t, address)
			require.Len(t, names, 2)
			require.Zero(t, uploads)
		})
	}
}

// TestALostAnswerIsLookedUp checks that, if the object exists after a lost answer, it is the
// content.
func TestALostAnswerIsLookedUp(t *testing.T) {
	t.Parallel()
	s, p, _ := faulty(t)
	content := storetest.Bytes(4, 17*mib)
	for name, fail := range map[string]enginetest.Hook{
		"lost": func(w http.ResponseWriter, r *http.Request, forward http.Handler) { enginetest.Lost(r, forward) },
		"truncated": func(w http.ResponseWriter, r *http.Request, forward http.Handler) {
			enginetest.Truncated(w, r, forward, 60)
		},
	} {
		p.Set(func(w http.ResponseWriter, r *http.Request, forward http.Handler) {
			if isComplete(r) {
				fail(w, r, forward)
				return
			}
			forward.ServeHTTP(w, r)
		})
		key := storetest.WriteContent(t, s, content)
		require.True(t, bytes.Equal(content, storetest.ReadContent(t, s, key, 0, 17*mib)), name)
	}
}

// TestAnOutcomeThatNobodyKnows checks that an upload with an unknown outcome returns no key, and
// that the janitor removes what it may have left.
func TestAnOutcomeThatNobodyKnows(t *testing.T) {
	t.Parallel()
	for name, isSent := range map[string]bool{"the object came to be": true, "it did not": false} {
		t.Run(name, func(t *testing.T) {
			s, p, address := faulty(t)
			var over atomic.Bool
			p.Set(func(w http.ResponseWriter, r *http.Request, forward http.Handler) {
				if isComplete(r) && !over.Swap(true) && isSent {
					enginetest.Lost(r, forward)
				}
				if over.Load() {
					enginetest.Status(w, 503, "SlowDown")
					return
				}
				forward.ServeHTTP(w, r)
			})
			d := testrun.Must(s.Create(t.Context()))(t)
			testrun.Must(d.Write(storetest.Bytes(5, 17*mib)))(t)
			key, err := d.Commit()
			require.ErrorIs(t, err, store.ErrAway)
			require.Empty(t, key)
			d.Discard()
			s.background.Wait()
			p.Set(nil)
			names, uploads := enginetest.SharedObjectStore(t).Objects(t, address)
			require.Equal(t, isSent, len(names) == 1)
			require.Equal(t, isSent, uploads == 0)
			s.ages = ages{}
			require.Equal(t, 1, testrun.Must(s.Clean(t.Context()))(t))
			names, uploads = enginetest.SharedObjectStore(t).Objects(t, address)
			require.Empty(t, names)
			require.Zero(t, uploads)
		})
	}
}

// TestAnObjectStoreThatIsAway checks that every call reports the outage as such.
func TestAnObjectStoreThatIsAway(t *testing.T) {
	t.Parallel()
	s, p, _ := faulty(t)
	key := storetest.WriteContent(t, s, storetest.Bytes(6, 9*mib))
	begun := testrun.Must(s.Open(t.Context(), key, 0, 9*mib))(t)
	p.Set(func(w http.ResponseWriter, r *http.Request, forward http.Handler) { enginetest.Cut() })
	away := func(err error) {
		t.Helper()
		require.ErrorIs(t, err, store.ErrAway)
	}
	_, err := begun.Read(make([]byte, 10))
	away(err)
	_, err = s.Open(t.Context(), key, 0, 9*mib)
	away(err)
	_, err = s.Open(t.Context(), key, 0, 10)
	away(err)
	away(s.Check(t.Context()))
	d := testrun.Must(s.Create(t.Context()))(t)
	testrun.Must(d.Write([]byte("small")))(t)
	_, err = d.Commit()
	away(err)
	d = testrun.Must(s.Create(t.Context()))(t)
	_, err = d.Write(make([]byte, 17*mib))
	away(err)
	d.Discard()
}

func TestAFullObjectStoreIsToldFromOneThatIsAway(t *testing.T) {
	t.Parallel()
	s, p, _ := faulty(t)
	p.Set(func(w http.ResponseWriter, r *http.Request, forward http.Handler) {
		enginetest.Status(w, 507, "QuotaExceeded")
	})
	d := testrun.Must(s.Create(t.Context()))(t)
	_, err := d.Commit()
	require.ErrorIs(t, err, store.ErrNoSpace)
}

// TestNobodyWaitsForAConnectionThatStandsStill checks that no call waits for it forever.
func TestNobodyWaitsForAConnectionThatStandsStill(t *testing.T) {
	t.Parallel()
	patient, p, address := faulty(t)
	content := storetest.Bytes(7, 9*mib)
	key := storetest.WriteContent(t, patient, content)
	place := testrun.Must(ParsePlace(address))(t)
	impatient := testrun.Must(newStore(place, records(t), 1, 200*time.Millisecond))(t)
	p.Set(func(w http.ResponseWriter, r *http.Request, forward http.Handler) {
		_, _ = io.Copy(io.Discard, r.Body) // without it the server does not notice the end of the connection
		<-r.Context().Done()
	})
	_, err := impatient.Open(t.Context(), key, 0, 10)
	require.ErrorIs(t, err, store.ErrAway)
	d := testrun.Must(impatient.Create(t.Context()))(t)
	testrun.Must(d.Write([]byte("small")))(t)
	_, err = d.Commit()
	require.ErrorIs(t, err, store.ErrAway)

	calm := testrun.Must(newStore(place, records(t), 3, 3*time.Second))(t)
	p.Set(func(w http.ResponseWriter, r *http.Request, forward http.Handler) { // in the middle of an answer
		if strings.HasPrefix(r.Header.Get("Range"), "bytes=0-") {
			forward.ServeHTTP(&standing{w, 3 * mib, r}, r)
			return
		}
		forward.ServeHTTP(w, r)
	})
	require.True(t, bytes.Equal(content, storetest.ReadContent(t, calm, key, 0, 9*mib)))
}

// TestNobodyWaitsForManyConnectionsThatStandStill checks that content is requested again, but not
// for minutes.
func TestNobodyWaitsForManyConnectionsThatStandStill(t *testing.T) {
	t.Parallel()
	patient, p, address := faulty(t)
	key := storetest.WriteContent(t, patient, storetest.Bytes(8, 9*mib))
	place := testrun.Must(ParsePlace(address))(t)
	s, err := newStore(place, records(t), 10_000, 50*time.Millisecond)
	require.NoError(t, err)
	s.answerTime = 500 * time.Millisecond
	var begun io.ReadCloser
	require.Eventually(t, func() bool { // a machine that stands still does as the object store would
		begun, err = s.Open(t.Context(), key, 0, 9*mib)
		return err == nil
	}, testrun.Patience(), time.Millisecond)
	defer begun.Close()
	var asked atomic.Int64
	p.Set(func(w http.ResponseWriter, r *http.Request, forward http.Handler) {
		asked.Add(1)
		<-r.Context().Done()
	})
	for name, ask := range map[string]func() error{
		"small": func() error { _, err := s.Open(t.Context(), key, 0, 10); return err },
		"large": func() error { _, err := s.Open(t.Context(), key, 0, 9*mib); return err },
		"read":  func() error { _, err := begun.Read(make([]byte, 10)); return err },
		"check": func() error { return s.Check(t.Context()) },
	} {
		over := make(chan error, 1)
		go func() { over <- ask() }()
		select {
		case err := <-over:
			require.ErrorIs(t, err, store.ErrAway, name)
		case <-time.After(testrun.Patience()):
			require.FailNow(t, "the call waits for minutes", name)
		}
	}
	require.Greater(t, asked.Load(), int64(4), "the store must request content again")
	p.Set(nil)
	require.Eventually(t, func() bool {
		r, err := s.Open(t.Context(), key, 0, 10)
		if err != nil {
			return false
		}
		defer r.Close()
		content, err := io.ReadAll(r)
		return err == nil && len(content) == 10
	}, testrun.Patience(), time.Millisecond, "the object store answers again")
}

// standing stalls after this many bytes of an answer.
type standing struct {
	http.ResponseWriter
	left int
	r    *http.Request
}

func (s *standing) Write(p []byte) (int, error) {
	if s.left -= len(p); s.left < 0 {
		<-s.r.Context().Done()
	}
	return s.ResponseWriter.Write(p)
}

func (s *standing) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// TestABeginningThatWasLost checks that an upload whose id was lost is removed by the time the
// content exists.
func TestABeginningThatWasLost(t *testing.T) {
	t.Parallel()
	s, p, address := faulty(t)
	var lost atomic.Int64
	p.Set(func(w http.ResponseWriter, r *http.Request, forward http.Handler) {
		if r.Method == http.MethodPost && r.URL.Query().Has("uploads") && lost.Add(1) <= 2 {
			enginetest.Lost(r, forward)
		}
		forward.ServeHTTP(w, r)
	})
	content := storetest.Bytes(1, 9*mib)
	key := storetest.WriteContent(t, s, content)
	require.EqualValues(t, 3, lost.Load())
	names, uploads := enginetest.SharedObjectStore(t).Objects(t, address)
	require.Equal(t, []string{key[:2] + "/" + key}, names)
	require.Zero(t, uploads)
	require.True(t, bytes.Equal(content, storetest.ReadContent(t, s, key, 0, 9*mib)))
}
