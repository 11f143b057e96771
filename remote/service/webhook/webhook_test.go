package webhook

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

func TestMain(m *testing.M) { testrun.Main(m) }

// TestSignatureIsThatOfStandardWebhooks signs what the specification's own libraries are tested with.
func TestSignatureIsThatOfStandardWebhooks(t *testing.T) {
	t.Parallel()
	signature := testrun.Must(Sign("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`)))(t)
	require.Equal(t, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", signature)
	_, err := Sign("whsec_!", "id", time.Unix(1, 0), nil)
	require.Error(t, err)
	require.NotEqual(t, NewSecret(), NewSecret())
	require.Regexp(t, `^whsec_[A-Za-z0-9+/]{43}=$`, NewSecret())
}

func TestAddressesThatAreRefused(t *testing.T) {
	t.Parallel()
	require.NoError(t, CheckURL("https://receiver.example:8443/hook?tenant=7", false))
	require.NoError(t, CheckURL("http://10.0.0.7/", true))
	for address, words := range map[string]string{
		"http://receiver.example/": "--trust-host", "ftp://receiver.example/": "has to be", "https:///hook": "has to be", "receiver.example": "has to be",
		"https://me:secret@receiver.example/": "user name", "https://receiver.example/#part": "fragment", "https://a/" + strings.Repeat("x", 2000): "has to be", "https://%": "has to be",
		"https://10.0.0.7/": "--trust-host", "https://[::1]:8443/": "--trust-host", "https://:443/": "has to be", "https://receiver.example:99999/": "has to be",
	} {
		require.ErrorContains(t, CheckURL(address, false), words, address)
	}
}

// TestTheAddressIsJudgedAtTheDial dials addresses that a name may lead to.
func TestTheAddressIsJudgedAtTheDial(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"127.0.0.1:443", "10.1.2.3:443", "192.168.1.1:443", "169.254.169.254:80", "100.64.0.1:443", "0.0.0.0:443", "[::1]:443", "[fe80::1]:443", "[fd00::1]:443",
		"[::ffff:127.0.0.1]:443", "[64:ff9b::7f00:1]:443", "nonsense"} {
		require.Error(t, judge("tcp", address, nil), address)
	}
	require.NoError(t, judge("tcp", "93.184.216.34:443", nil))
	require.NoError(t, judge("tcp", "[2606:2800:220:1::1]:443", nil))
}

// TestAReceiverWithACertificate posts to a receiver whose certificate is good, and to the same one where it is not.
func TestAReceiverWithACertificate(t *testing.T) {
	t.Parallel()
	got := make(chan http.Header, 1)
	receiver := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got <- r.Header }))
	receiver.EnableHTTP2 = true
	receiver.StartTLS()
	defer receiver.Close()
	p := NewPoster()
	defer p.Close()
	w := store.Webhook{URL: receiver.URL, Secret: NewSecret(), Trusted: true}
	id, body := testrun.Must2(Test(time.Unix(5, 0)).Encode(1))(t)
	require.JSONEq(t, `{"event": "test", "time": "1970-01-01T00:00:05Z"}`, string(body))
	require.ErrorContains(t, p.Post(t.Context(), w, id, time.Unix(5, 0), body), "certificate")
	require.Empty(t, got)

	roots := x509.NewCertPool()
	roots.AddCert(receiver.Certificate())
	p.any.Transport.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: roots}
	require.NoError(t, p.Post(t.Context(), w, id, time.Unix(5, 0), body))
	header := <-got
	require.Equal(t, []string{id, "5", "application/json"}, []string{header.Get("webhook-id"), header.Get("webhook-timestamp"), header.Get("Content-Type")})

	w.Trusted = false
	require.ErrorContains(t, p.Post(t.Context(), w, id, time.Unix(5, 0), body), "not a public one")
}

// busy is a store with many webhooks that counts the transactions at a time.
type busy struct {
	store.Store
	now  atomic.Int64
	goOn chan struct{} // each transaction waits until it is closed
}

func (b *busy) ClaimWebhooks(context.Context, string, time.Duration) (ids []int64, _ error) {
	for id := range int64(100) {
		ids = append(ids, id)
	}
	return ids, nil
}

func (b *busy) Read(context.Context, func(store.Reader) error) error {
	b.now.Add(1)
	<-b.goOn
	return store.ErrNotFound
}

// TestManyWebhooksLeaveTheStoreToOthers starts the senders of many webhooks at once.
func TestManyWebhooksLeaveTheStoreToOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &busy{goOn: make(chan struct{})}
		s := Start(Config{Store: b, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
		synctest.Wait() // all of them wait
		require.EqualValues(t, mostCalls, b.now.Load())
		close(b.goOn)
		s.Close()
	})
}

// quiet is a store with one webhook, in whose log nothing is an event. Another webhook of the tenant tells the periods.
type quiet struct {
	store.Store
	log
}

func (q *quiet) ClaimWebhooks(context.Context, string, time.Duration) ([]int64, error) {
	return []int64{1}, nil
}

func (q *quiet) Read(_ context.Context, f func(store.Reader) error) error { return f(&q.log) }

func (q *quiet) Write(_ context.Context, _ int64, f func(store.Writer) error) error {
	return f(&q.log)
}

// log is a log of seven rows.
type log struct {
	store.Writer
	mark atomic.Int64
}

func (l *log) Webhook(id int64) (store.Webhook, error) {
	return store.Webhook{ID: id, Mark: l.mark.Load()}, nil
}
func (l *log) Told(int64) (time.Time, error)                                { return time.Now(), nil }
func (l *log) LastEvent(int64) (int64, error)                               { return 7, nil }
func (l *log) LogNotices(store.Webhook, int64, int) ([]store.Notice, error) { return nil, nil }
func (l *log) DueNotices(int64, time.Time, int) ([]store.Notice, error)     { return nil, nil }
func (l *log) ForgetNotices(int64, time.Time) error                         { return nil }
func (l *log) TellPeriods(int64, time.Time) error                           { return nil }
func (l *log) MoveMark(_ store.Webhook, to int64) error                     { l.mark.Store(to); return nil }

// TestEachWebhookMovesItsMark checks that the mark passes what is no event, so that no webhook keeps the log.
func TestEachWebhookMovesItsMark(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := &quiet{}
		s := Start(Config{Store: q, Now: time.Now, Log: slog.New(slog.DiscardHandler), Follow: func(int64) (func() <-chan struct{}, func()) {
			return func() <-chan struct{} { return nil }, func() {}
		}})
		<-time.After(2 * periodsTime) // of the bubble's clock
		s.Close()
		require.EqualValues(t, 7, q.mark.Load())
	})
}

// TestEventsHaveIDsOfTheirOwn checks that a repeat has the same id, and another event another one, even with the
// number of a row of an older log.
func TestEventsHaveIDsOfTheirOwn(t *testing.T) {
	t.Parallel()
	id := func(number int64, m Message) string {
		id, _ := testrun.Must2(m.Encode(number))(t)
		return id
	}
	m := Message{Event: store.HookOrdered, Time: time.Unix(7, 0), ID: 3, Order: "a"}
	first := id(1, m)
	require.Equal(t, first, id(1, Message{Event: m.Event, Time: m.Time, ID: 3, Order: "a", Gone: true, Address: "/x/"}))
	m.Time = time.Unix(8, 0)
	require.NotEqual(t, first, id(1, m))
	first = id(1, Message{Event: store.HookProcessed, Time: time.Unix(7, 0), ID: 3, Job: "j"})
	require.Equal(t, first, id(2, Message{Event: store.HookProcessed, Time: time.Unix(8, 0), ID: 3, Job: "j"}), "a job ends once, whichever of its rows says so")
}

// TestAFailureIsPrintable has a receiver whose status no database would keep, and no terminal should show.
func TestAFailureIsPrintable(t *testing.T) {
	t.Parallel()
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_, _ = c.Write([]byte("HTTP/1.1 500 \x1b[31m\xff\x00\r\nContent-Length: 0\r\n\r\n"))
			c.Close()
		}
	}))
	defer receiver.Close()
	p := NewPoster()
	defer p.Close()
	err := p.Post(t.Context(), store.Webhook{URL: receiver.URL, Secret: NewSecret(), Trusted: true}, "id", time.Unix(5, 0), nil)
	require.EqualError(t, err, "it answered 500 ?[31m\uFFFD?")
	require.Equal(t, strings.Repeat("ä", 149)+"x\uFFFD", reason(errors.New(strings.Repeat("ä", 149)+"xä")).Error(), "cut in the middle of a letter")
}
