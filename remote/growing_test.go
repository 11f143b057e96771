package remote

import (
	"bytes"
	"encoding/base64"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// written is content that a test writes while it is sent.
type written struct {
	mu      sync.Mutex
	turn    sync.Cond
	all     bytes.Buffer
	measure Measure
	whole   bool
	over    bool
	damage  bool // readers get other bytes than were measured
}

func newWritten() *written {
	w := &written{}
	w.turn.L = &w.mu
	return w
}

func (w *written) do(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
	w.turn.Broadcast()
}

func (w *written) write(p []byte) { w.do(func() { w.all.Write(p); w.measure.Write(p) }) }
func (w *written) end()           { w.do(func() { w.whole = true }) }

func (w *written) Size() int64       { return int64(w.all.Len()) }
func (w *written) Measure() *Measure { return &w.measure }

func (w *written) Whole() (is bool) {
	w.do(func() { is = w.whole })
	return is
}

func (w *written) GiveUp() (given bool) {
	w.do(func() { given, w.over = !w.whole, !w.whole })
	return given
}

func (w *written) Open() (io.ReadCloser, error) { return io.NopCloser(&writtenReader{w: w}), nil }

type writtenReader struct {
	w  *written
	at int
}

func (r *writtenReader) Read(p []byte) (n int, err error) {
	r.w.mu.Lock()
	defer r.w.mu.Unlock()
	for r.at == r.w.all.Len() && !r.w.whole && !r.w.over {
		r.w.turn.Wait()
	}
	switch {
	case r.w.over:
		return 0, io.ErrNoProgress
	case r.at == r.w.all.Len():
		return 0, io.EOF
	}
	n = copy(p, r.w.all.Bytes()[r.at:])
	if r.w.damage && r.at == 0 {
		p[0]++
	}
	r.at += n
	return n, nil
}

// contentOf returns the content that a request has sent.
func contentOf(t *testing.T, r received) []byte {
	t.Helper()
	form := testrun.Must(url.ParseQuery(r.body))(t)
	return testrun.Must(base64.StdEncoding.DecodeString(form.Get(UploadFile.Bulk)))(t)
}

// answering returns a client of a service that answers before it has read the content.
func answering(t *testing.T, answer http.HandlerFunc) *Client {
	s := &standIn{Server: httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(OffersHeader, OfferRaw)
		answer(w, r)
	}))}
	t.Cleanup(s.Close)
	return takesRaw(s.client(t))
}

// TestContentIsSentWhileItIsWritten checks that a request begins before the content is whole, has all of it, and is repeated as
// any other once it is.
func TestContentIsSentWhileItIsWritten(t *testing.T) {
	for _, size := range []int{3 * blockSize, 3*blockSize + 1, 5*blockSize + 100} {
		began := make(chan struct{}, 2)
		var mu sync.Mutex
		var sent []received
		c := answering(t, func(w http.ResponseWriter, r *http.Request) {
			began <- struct{}{}
			body, _ := io.ReadAll(r.Body)
			mu.Lock()
			defer mu.Unlock()
			if sent = append(sent, received{body: string(body), kind: r.Header.Get("Content-Type"), length: r.ContentLength}); len(sent) == 1 {
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			io.WriteString(w, result(Success, "<fileid>7</fileid>"))
		})
		all := bytes.Repeat([]byte("0123456789/+"), size/12+1)[:size]
		w := newWritten()
		w.write(all[:blockSize])
		go func() {
			<-began
			for rest := all[blockSize:]; len(rest) > 0; {
				n := min(len(rest), 10_000)
				w.write(rest[:n])
				rest = rest[n:]
			}
			w.end()
		}()
		up := testrun.Must(c.UploadFile(t.Context(), 3, "a", w))(t)
		assert.Equal(t, int64(7), up.FileID)
		assert.Equal(t, int64(size), up.Size)
		assert.Equal(t, w.measure.SHA256(), up.SHA256)
		mu.Lock()
		require.Len(t, sent, 2)
		for _, r := range sent {
			_, content := rawOf(t, r)
			assert.Equal(t, all, content)
		}
		assert.EqualValues(t, -1, sent[0].length)
		assert.EqualValues(t, len(sent[1].body), sent[1].length)
		mu.Unlock()
	}
}

// TestContentThatIsNotWholeHasNoOutcome checks that the service's word counts nothing before the content is whole, and that
// nothing is repeated: whoever writes it decides what follows.
func TestContentThatIsNotWholeHasNoOutcome(t *testing.T) {
	for name, answer := range map[string]func(http.ResponseWriter){
		"SUCCESS": func(w http.ResponseWriter) { io.WriteString(w, result(Success, "<fileid>7</fileid>")) },
		"refused": func(w http.ResponseWriter) { io.WriteString(w, result(VersionConflict, "")) },
		"503":     func(w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) },
		"broken": func(w http.ResponseWriter) {
			conn, _, _ := http.NewResponseController(w).Hijack()
			conn.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int32
			c := answering(t, func(w http.ResponseWriter, r *http.Request) {
				if asked.Add(1) > 1 {
					_, _ = io.Copy(io.Discard, r.Body)
					io.WriteString(w, result(Success, "<fileid>8</fileid>"))
					return
				}
				_, _ = io.CopyN(io.Discard, r.Body, blockSize)
				w.Header().Set("Connection", "close") // without it, Go's server waits for more content before it answers
				answer(w)
			})
			w := newWritten()
			w.write(make([]byte, 2*blockSize))
			if name == "broken" { // the transport notices when it sends more
				go func() {
					for range 200 {
						w.write(make([]byte, blockSize))
					}
				}()
			}
			_, err := c.UploadFile(t.Context(), 3, "a", w)
			require.Error(t, err)
			assert.Equal(t, int32(1), asked.Load())
			assert.True(t, w.GiveUp(), "it was given up")
			up, err := c.UploadFile(t.Context(), 3, "a", content("other content"))
			require.NoError(t, err, "the service does not count as away")
			assert.Equal(t, int64(8), up.FileID)
		})
	}
}

// TestDamagedContentThatGrewIsNotSentToItsEnd checks the sum of what was read against what was written.
func TestDamagedContentThatGrewIsNotSentToItsEnd(t *testing.T) {
	w := newWritten()
	var body error
	done := make(chan struct{})
	c := answering(t, func(_ http.ResponseWriter, r *http.Request) {
		w.end()
		_, body = io.Copy(io.Discard, r.Body)
		close(done)
	})
	w.damage = true
	w.write(make([]byte, 2*blockSize+5))
	_, err := c.UploadFile(t.Context(), 3, "a", w)
	e := fails(t, err, Local)
	assert.ErrorIs(t, e, ErrChanged)
	<-done
	assert.Error(t, body, "the request has no end")
}

// TestContentThatIsNotWholeSaysNothingOfTheService checks that an upload that waits for a program, or that a program made
// vain, is neither slow nor failed, and that no other call waits for it.
func TestContentThatIsNotWholeSaysNothingOfTheService(t *testing.T) {
	began := make(chan struct{}, 3)
	c := answering(t, func(w http.ResponseWriter, r *http.Request) {
		began <- struct{}{}
		_, _ = io.Copy(io.Discard, r.Body)
		io.WriteString(w, result(Success, "<fileid>7</fileid>"))
	})
	fake := testrun.NewClock()
	c.health = newHealth(fake.Now)
	failed := make(chan error)
	upload := func(w *written) {
		_, err := c.UploadFile(t.Context(), 3, "a", w)
		failed <- err
	}

	c.health.failed()
	fake.Advance(firstAway)
	w := newWritten()
	w.write(make([]byte, 2*blockSize))
	go upload(w)
	fails(t, <-failed, Unreachable)
	_, err := c.UploadFile(t.Context(), 3, "b", content("small"))
	require.NoError(t, err, "it is the probe")
	<-began

	w = newWritten()
	w.write(make([]byte, 2*blockSize))
	go upload(w)
	<-began
	require.Empty(t, c.Stats().UnderWay)
	w.GiveUp()
	require.Error(t, <-failed)
	require.Zero(t, c.Stats().Operations[UploadFile.Name].Failures)

	require.Zero(t, c.Stats().Trouble.Since)
}

// TestASlowProgramIsNoStall checks that an upload waits for what a program writes as long as it takes, but not for the wire.
func TestASlowProgramIsNoStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWritten()
		b := testrun.Must((&bulk{Content: w, growing: w}).body(nil, nil, nil, 0))(t)
		limit := newWatch(t.Context(), time.Minute, time.Minute)
		defer limit.end()
		go func() {
			time.Sleep(time.Hour)
			w.write(make([]byte, blockSize))
		}()
		testrun.Must(io.ReadFull(&upload{bulkBody: b, watch: limit, count: new(atomic.Int64), left: math.MaxInt64}, make([]byte, blockSize)))(t)
		require.Nil(t, limit.stalled(), "of the program")
		time.Sleep(time.Minute + 1)
		synctest.Wait()
		require.NotNil(t, limit.stalled(), "of the wire")
	})
}
