package apitest

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/store"
	"paperfs/remote/service/webhook"
	"paperfs/remote/testrun"
)

// past is a period that has ended, by the clock of the service and by that of a command, which is another one in tests.
var past = []string{"from", "2020-01-01 00:00:00", "to", "2021-01-01 00:00:00"}

func (s *server) period(paper string, pairs ...string) {
	s.t.Helper()
	s.must(remote.SetPublicationPeriod, append([]string{"paperID", paper}, pairs...)...)
}

// TestWebhookIsToldOfEveryEvent lets everything happen that is an event.
func TestWebhookIsToldOfEveryEvent(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	r := startReceiver(t)
	s.hook(r, store.HookEvents...)
	seen := 0
	expect := func(want ...string) (got []received) {
		t.Helper()
		s.until(func() bool {
			got = r.all()[seen:]
			return len(slices.DeleteFunc(slices.Clone(got), func(m received) bool { return m.Event == store.HookChanged })) >= len(want)
		}, want)
		seen += len(got)
		var events []string
		for _, m := range got {
			if m.Event != store.HookChanged {
				events = append(events, fmt.Sprint(m.Event, " ", m.ID))
			}
		}
		require.Equal(t, want, events)
		return got
	}
	s.period(s.shelved(), past...)
	expect("unpublished " + s.shelved())
	s.must(remote.ClearPublicationPeriod, "paperID", s.shelved())
	got := expect("published " + s.shelved())
	require.Contains(t, got[len(got)-1].body, `"kind":"paper"`)
	require.Contains(t, got[len(got)-1].body, `"address":"/spring/"`)

	receipt := s.receipt(s.post(order("CheckoutByEmail", uuid.NewString(), "RK-7", "29.25", "2")))
	got = expect("ordered " + s.shelved())
	require.Equal(t, receipt.OrderID, got[len(got)-1].Order)
	require.NotContains(t, got[len(got)-1].body, "RK-7", "no lines of the order")

	job := s.queue(s.shelved(), pdftest.Text("new"), "")
	got = expect("processed " + s.shelved())
	require.True(t, slices.ContainsFunc(got, func(m received) bool { return m.Job == job }))
	job = s.queue(s.shelved(), []byte("%PDF-1.7\n"), "")
	got = expect("failed " + s.shelved())
	require.True(t, slices.ContainsFunc(got, func(m received) bool { return m.Job == job }))

	other := s.server.paper(s.root(), "other")
	s.process(other, pdftest.Text("other"), "")
	s.until(func() bool { return subset(r.of(other), "changed", "published", "processed") })
	require.NoError(t, s.admin().ChangeTenant("default", func(o *admin.TenantSettings) error { o.PublicURL = "https://papers.example"; return nil }))
	category := s.category(s.root(), "garden")
	s.until(func() bool { return slices.Equal(r.of(category), []string{"changed"}) })
	last := r.all()[len(r.all())-1]
	require.Equal(t, []string{"category", "https://papers.example/garden/"}, []string{last.Kind, last.Address})

	s.must(remote.DeletePaper, "paperID", other)
	s.until(func() bool { return slices.Contains(r.of(other), "unpublished") && r.all()[len(r.all())-1].Gone })
	for _, m := range r.all() {
		require.Zero(t, m.Time.Nanosecond(), m.body)
	}
	waiting, aside := s.waiting()
	require.Empty(t, waiting)
	require.Empty(t, aside)
	s.sound()
}

func subset(all []string, of ...string) bool {
	return !slices.ContainsFunc(of, func(one string) bool { return !slices.Contains(all, one) })
}

func (s *shop) shelved() string { return s.paper }

// TestWebhookIsToldOfItsOwnEvents checks that events that nobody asked for are not sent, nor those of another tenant or
// from before.
func TestWebhookIsToldOfItsOwnEvents(t *testing.T) {
	t.Parallel()
	s := start(t)
	before := s.made("before")
	r := startReceiver(t)
	s.hook(r, store.HookUnpublished)
	acme := s.tenantNamed("acme")
	acme.period(acme.made("theirs"), past...)
	s.period(before, past...)
	last := s.made("last")
	s.period(last, past...)
	s.until(func() bool { return len(r.events()) >= 2 })
	require.Equal(t, []string{"unpublished " + before, "unpublished " + last}, r.events())
}

// TestReceiversThatDoNotAccept checks what is kept and said of receivers that fail in each way.
func TestReceiversThatDoNotAccept(t *testing.T) {
	t.Parallel()
	var followed atomic.Bool
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { followed.Store(true) }))
	t.Cleanup(elsewhere.Close)
	for name, c := range map[string]struct {
		answer    http.HandlerFunc
		tls       bool
		untrusted bool
		words     string
	}{
		"hangs":   {answer: hang, words: "did not answer within 10s"},
		"refuses": {answer: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, words: "it answered 500"},
		"redirects": {answer: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}, words: "redirects are not followed"},
		"moved": {answer: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusMovedPermanently)
		}, words: "redirects are not followed"},
		"breaks off":      {answer: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, words: "EOF"},
		"endless head":    {answer: endlessHead, words: "headers exceeded"},
		"bad certificate": {tls: true, words: "certificate"},
		"private address": {tls: true, untrusted: true, words: "not a public one"},
	} {
		t.Run(name, func(t *testing.T) { // one after another: at the end of the run, the one that hangs would be alone
			s, clock := startMoving(t)
			receiver := httptest.NewUnstartedServer(c.answer)
			receiver.Config.ErrorLog = noLog
			if c.tls {
				receiver.StartTLS()
			} else {
				receiver.Start()
			}
			t.Cleanup(func() { receiver.CloseClientConnections(); receiver.Close() })
			url := receiver.URL
			if c.untrusted { // only the dial shows where a name leads to
				url = strings.Replace(url, "127.0.0.1", "localhost", 1)
			}
			testrun.Must(s.admin().AddWebhook("default", url, []string{store.HookChanged}, !c.untrusted))(t)
			paper := s.paper(s.root(), "p")
			var waiting []admin.Notice
			s.until(func() bool {
				clock.move(5 * time.Second) // a machine that is too slow tries again
				waiting, _ = s.waiting()
				return len(waiting) == 1 && strings.Contains(waiting[0].Reason, c.words)
			}, c.words)
			require.NotContains(t, waiting[0].Reason, url)
			require.Equal(t, paper, fmt.Sprint(waiting[0].ID))
			require.False(t, followed.Load())
		})
	}
}

// hang answers nothing until the sender leaves, which a server notices after it has read the body.
func hang(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

// endlessHead answers with headers that do not end.
func endlessHead(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	_, err = conn.Write([]byte("HTTP/1.1 200 OK\r\n"))
	for i := 0; err == nil; i++ {
		_, err = fmt.Fprintf(conn, "X-%d: %s\r\n", i, strings.Repeat("x", 1000))
	}
}

// TestAnEndlessAnswerIsAccepted checks that nobody reads on in an answer that does not end.
func TestAnEndlessAnswerIsAccepted(t *testing.T) {
	t.Parallel()
	s := start(t)
	var got atomic.Int64
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		got.Add(1)
		for text := make([]byte, 32<<10); ; {
			if _, err := w.Write(text); err != nil {
				return // cut off
			}
		}
	}))
	t.Cleanup(receiver.Close)
	testrun.Must(s.admin().AddWebhook("default", receiver.URL, []string{store.HookChanged}, true))(t)
	for i := range 3 {
		s.paper(s.root(), fmt.Sprint("p", i))
	}
	s.until(func() bool { return got.Load() == 3 })
	s.until(func() bool { waiting, _ := s.waiting(); return len(waiting) == 0 })
}

// TestADayOfFailures has a receiver that does not accept the events of one paper for more than a day: those of
// others go on, the pauses grow, and in the end the sender sets the event aside until somebody retries it.
func TestADayOfFailures(t *testing.T) {
	t.Parallel()
	s, c := startMoving(t)
	r := startReceiver(t)
	webhookID := s.hook(r, store.HookPublished, store.HookUnpublished)
	bad, good := s.made("bad"), s.made("good")
	s.until(func() bool { return len(r.events()) == 2 })
	r.sets(func(m webhook.Message, _ int) int {
		if fmt.Sprint(m.ID) == bad {
			return 500
		}
		return 200
	})
	s.period(bad, past...)
	s.must(remote.ClearPublicationPeriod, "paperID", bad)
	first := func() admin.Notice {
		waiting, _ := s.waiting()
		if len(waiting) == 0 {
			return admin.Notice{}
		}
		return waiting[0]
	}
	s.until(func() bool { w, _ := s.waiting(); return len(w) == 2 && w[0].Tries == 1 })
	hidden := false
	// passed sends an event of the good paper: all that was due before it was tried.
	passed := func() {
		t.Helper()
		count := len(r.of(good))
		if hidden = !hidden; hidden {
			s.period(good, past...)
		} else {
			s.must(remote.ClearPublicationPeriod, "paperID", good)
		}
		s.until(func() bool { return len(r.of(good)) == count+1 })
	}
	began, tries, pause := c.now(), 1, 5*time.Second
	for c.now().Add(pause).Sub(began) < 24*time.Hour {
		c.move(pause - time.Second)
		passed()
		passed()
		require.Equal(t, tries, first().Tries, "after %s", pause-time.Second)
		c.move(time.Second)
		tries++
		s.until(func() bool { return first().Tries == tries }, "try %d", tries)
		pause = min(2*pause, time.Hour)
	}
	require.Equal(t, []string{"published"}, r.of(bad))
	c.move(time.Hour)
	s.until(func() bool { w, aside := s.waiting(); return len(w) == 1 && len(aside) == 1 && w[0].Tries == 1 })
	_, aside := s.waiting()
	require.Equal(t, []any{"unpublished", "it answered 500 Internal Server Error"}, []any{aside[0].Event, aside[0].Reason})

	r.sets(nil)
	c.move(time.Hour)
	s.until(func() bool {
		w, _ := s.waiting()
		return len(w) == 0 && len(r.of(bad)) == 2
	}, "the next event goes on")
	require.EqualValues(t, 1, testrun.Must(s.admin().RetryWebhook("default", webhookID))(t))
	s.until(func() bool { return slices.Equal(r.of(bad), []string{"published", "published", "unpublished"}) })
	s.until(func() bool { w, aside := s.waiting(); return len(w)+len(aside) == 0 })
}

// TestEventsOfAPaperComeInOrder has a receiver that fails at random, and sometimes accepts an event and then breaks
// off: without repeats, each paper's events come in order, each once.
func TestEventsOfAPaperComeInOrder(t *testing.T) {
	t.Parallel()
	s, c := startMoving(t)
	r := startReceiver(t)
	s.hook(r, store.HookPublished, store.HookUnpublished)
	var papers []string
	for i := range 5 {
		papers = append(papers, s.made(fmt.Sprint("p", i)))
	}
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	r.sets(func(m webhook.Message, try int) int {
		switch random.IntN(4) {
		case 0:
			return 503
		case 1:
			if try < 3 {
				r.got = append(r.got, received{Message: m, id: fmt.Sprint("lost ", m.Event, m.ID, m.Time)})
				panic(http.ErrAbortHandler)
			}
		}
		return 200
	})
	r.http.Config.ErrorLog = noLog
	const rounds = 6
	want := []string{"published"}
	for range rounds {
		want = append(want, "unpublished", "published")
		for _, p := range papers {
			s.period(p, past...)
			s.must(remote.ClearPublicationPeriod, "paperID", p)
		}
		c.move(7 * time.Second)
	}
	for _, p := range papers {
		s.until(func() bool { c.move(5 * time.Second); return len(r.whole(p)) == len(want) }, "seed %d: %v", seed, r.of(p))
		require.Equal(t, want, r.whole(p), "seed %d", seed)
		require.Equal(t, want, slices.Compact(r.received(p)), "a repeat comes before anything later; seed %d", seed)
	}
	s.until(func() bool { w, aside := s.waiting(); return len(w)+len(aside) == 0 })
}

// TestLaterEventsWaitForARefusedOne has a receiver that refuses a paper's first event once, when the sender has read two
// later ones with it.
func TestLaterEventsWaitForARefusedOne(t *testing.T) {
	t.Parallel()
	s, c := startMoving(t)
	r := startReceiver(t)
	s.hook(r, store.HookPublished, store.HookUnpublished)
	asked, release := make(chan struct{}), make(chan struct{})
	var held, refused bool
	r.sets(func(webhook.Message, int) int {
		switch {
		case !held:
			held = true
			close(asked)
			<-release
		case !refused:
			refused = true
			return 500
		}
		return 200
	})
	s.made("held")
	<-asked
	paper := s.made("p")
	s.period(paper, past...)
	s.must(remote.ClearPublicationPeriod, "paperID", paper)
	close(release)
	s.until(func() bool { w, _ := s.waiting(); return len(w)+len(r.of(paper)) == 3 })
	require.Empty(t, r.of(paper), "it would take an older event for the newest")
	c.move(5 * time.Second)
	s.until(func() bool { return len(r.of(paper)) == 3 })
	require.Equal(t, []string{"published", "unpublished", "published"}, r.of(paper))
}

// received returns the events of a paper that were accepted, also those without an answer.
func (r *receiver) received(id string) (all []string) {
	for _, m := range r.all() {
		if fmt.Sprint(m.ID) == id {
			all = append(all, m.Event)
		}
	}
	return all
}

// whole returns the events of a paper that were accepted with an answer.
func (r *receiver) whole(id string) (all []string) {
	for _, m := range r.all() {
		if fmt.Sprint(m.ID) == id && !strings.HasPrefix(m.id, "lost ") {
			all = append(all, m.Event)
		}
	}
	return all
}

// TestPeriodsAreToldByTheClock lets periods begin and end while the service runs, and while it does not.
func TestPeriodsAreToldByTheClock(t *testing.T) {
	t.Parallel()
	s, c := startMoving(t)
	r := startReceiver(t)
	s.hook(r, store.HookPublished, store.HookUnpublished)
	in := func(d time.Duration) string { return rules.FormatTime(clock.Add(d)) }
	paper, short, empty := s.made("p"), s.made("short"), s.paper(s.root(), "empty")
	s.period(paper, "from", in(time.Hour), "to", in(2*time.Hour))
	s.period(short, "from", in(80*time.Minute), "to", in(90*time.Minute))
	s.period(empty, "from", in(time.Hour), "to", in(2*time.Hour))
	s.until(func() bool { return len(r.events()) == 4 })
	require.Equal(t, []string{"published", "unpublished"}, r.of(paper))
	c.move(time.Hour)
	s.until(func() bool { return len(r.events()) == 5 })
	require.Equal(t, clock.Add(time.Hour), r.all()[4].Time)
	s.until(func() bool { w, _ := s.waiting(); return len(w) == 0 })
	s.close()
	c.move(2 * time.Hour)
	s.open()
	s.until(func() bool { return len(r.events()) == 8 })
	require.Equal(t, []string{"published " + short, "unpublished " + short, "unpublished " + paper}, r.events()[5:])
	all := r.all()
	require.Equal(t, clock.Add(2*time.Hour), all[len(all)-1].Time)

	c.move(24 * time.Hour)
	last := s.made("last")
	s.until(func() bool { return len(r.of(last)) == 1 })
	require.Len(t, r.events(), 9, "none comes twice, and none of a paper without pages")
}

// TestAReceiverThatIsReplaced ends a receiver; another one at its address gets what waits.
func TestAReceiverThatIsReplaced(t *testing.T) {
	t.Parallel()
	s, c := startMoving(t)
	r := startReceiver(t)
	s.hook(r, store.HookPublished, store.HookUnpublished)
	address := r.http.Listener.Addr().String()
	paper := s.made("p")
	s.until(func() bool { return len(r.of(paper)) == 1 })
	r.http.Close()
	s.period(paper, past...)
	s.until(func() bool { w, _ := s.waiting(); return len(w) == 1 && strings.Contains(w[0].Reason, "refused") })
	r.http = httptest.NewUnstartedServer(r)
	require.NoError(t, r.http.Listener.Close())
	r.http.Listener = listenAt(t, address)
	r.http.Start()
	t.Cleanup(r.http.Close)
	c.move(5 * time.Second)
	s.until(func() bool { return len(r.of(paper)) == 2 })
}
