package apitest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/store"
	"paperfs/remote/service/webhook"
	"paperfs/remote/testrun"
)

// TestARemovedTenantIsNotTold removes a tenant for whose webhook an event waits.
func TestARemovedTenantIsNotTold(t *testing.T) {
	t.Parallel()
	s, c := startMoving(t)
	acme := s.tenantNamed("acme")
	r, theirs := startReceiver(t), startReceiver(t)
	s.hook(r, store.HookPublished)
	w := testrun.Must(s.admin().AddWebhook("acme", theirs.http.URL, []string{store.HookChanged}, true))(t)
	theirs.secret = w.Secret
	theirs.sets(func(webhook.Message, int) int { return 500 })
	acme.paper(acme.root(), "p")
	s.until(func() bool {
		all, err := s.admin().Webhooks("acme")
		return err == nil && len(all[0].Waiting) == 1
	})
	theirs.sets(nil)
	require.NoError(t, s.admin().RemoveTenant("acme"))
	c.move(time.Hour)
	paper := s.made("ours")
	s.until(func() bool { return len(r.of(paper)) == 1 })
	require.Empty(t, theirs.all())
	_, err := s.admin().Webhooks("acme")
	require.ErrorContains(t, err, "no tenant acme")
	s.sound()
}

// TestARemovedWebhookIsNotTold removes a webhook, and adds another one later.
func TestARemovedWebhookIsNotTold(t *testing.T) {
	t.Parallel()
	s := start(t)
	r := startReceiver(t)
	id := s.hook(r, store.HookPublished, store.HookUnpublished)
	paper := s.made("p")
	s.until(func() bool { return len(r.events()) == 1 })
	require.ErrorContains(t, s.admin().RemoveWebhook("default", id+1), "no webhook")
	s.tenantNamed("acme")
	_, err := s.admin().RetryWebhook("acme", id)
	require.ErrorContains(t, err, "no webhook", "it is another tenant's")
	require.ErrorContains(t, s.admin().TestWebhook(t.Context(), "acme", id), "no webhook", "it is another tenant's")
	require.NoError(t, s.admin().RemoveWebhook("default", id))
	s.period(paper, past...)
	require.NotEqual(t, id, s.hook(r, store.HookPublished, store.HookUnpublished))
	s.must(remote.ClearPublicationPeriod, "paperID", paper)
	s.until(func() bool { return len(r.events()) == 2 })
	require.Equal(t, []string{"published", "published"}, r.of(paper), "nothing of the time between")
}

// TestARestoredCopySendsNothingOld restores a backup for whose webhook an event waits.
func TestARestoredCopySendsNothingOld(t *testing.T) {
	t.Parallel()
	var c *movingClock
	s := inFiles(t, func(o *service.Options) { c = movedBy(o) })
	r := startReceiver(t)
	s.hook(r, store.HookPublished, store.HookUnpublished)
	paper := s.made("p")
	s.until(func() bool { return len(r.events()) == 1 })
	s.period(paper, "from", rules.FormatTime(clock.Add(-time.Hour)), "to", rules.FormatTime(clock.Add(time.Hour)))
	r.sets(func(webhook.Message, int) int { return 500 })
	other := s.made("other")
	s.until(func() bool { w, _ := s.waiting(); return len(w) == 1 })
	backup := filepath.Join(t.TempDir(), "backup")
	s.backup(backup)
	r.sets(nil) // first: an attempt that fails after the move would wait for another
	c.move(2 * time.Hour)
	s.until(func() bool { return len(r.events()) == 3 })
	require.Equal(t, []string{"unpublished"}, r.of(paper)[1:])
	s.close()

	data := filepath.Join(t.TempDir(), "restored")
	require.NoError(t, os.CopyFS(data, os.DirFS(backup)))
	again := inFiles(t, func(o *service.Options) { o.Data, o.Now = data, c.now })
	last := again.made("last")
	again.until(func() bool { return len(r.of(last)) == 1 })
	waiting, _ := again.waiting()
	require.Empty(t, waiting)
	require.Len(t, r.events(), 4, "neither what waited nor the period that ended meanwhile")
	require.Equal(t, []string{"published"}, r.of(other))
	again.sound()
	again.backup(filepath.Join(t.TempDir(), "another"))
}

// TestARestoredCopySendsNothingThatWasUnread restores a backup with events that the webhook's sender had not read yet.
func TestARestoredCopySendsNothingThatWasUnread(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	r := startReceiver(t)
	s.hook(r, store.HookPublished)
	asked, release := make(chan struct{}, 100), make(chan struct{})
	r.sets(func(webhook.Message, int) int {
		asked <- struct{}{}
		<-release
		return 200
	})
	s.made("held")
	<-asked
	unread := s.made("unread")
	backup := filepath.Join(t.TempDir(), "backup")
	s.backup(backup)
	close(release)
	s.until(func() bool { return len(r.of(unread)) == 1 })
	s.close()
	again := inFiles(t, func(o *service.Options) { o.Data = backup })
	last := again.made("last")
	again.until(func() bool { return len(r.of(last)) == 1 })
	require.Len(t, r.all(), 3, "the service that was copied has told the others")
}

// TestTheLogIsKeptForAWebhook cuts the log of changes while a webhook is not told.
func TestTheLogIsKeptForAWebhook(t *testing.T) {
	t.Parallel()
	s := start(t)
	r := startReceiver(t)
	s.hook(r, store.HookPublished)
	asked, release := make(chan struct{}, 100), make(chan struct{})
	r.sets(func(webhook.Message, int) int {
		asked <- struct{}{}
		<-release
		return 200
	})
	s.made("first")
	s.until(func() bool { return len(asked) == 1 })
	s.made("second")
	s.made("third")
	s.inside().CutEvents(time.Now().Add(time.Hour))
	close(release)
	<-asked
	r.sets(nil)
	s.until(func() bool { return len(r.events()) == 3 })
}

// receiver is told of events, verifies their signatures, and keeps those that it accepts.
type receiver struct {
	t    testing.TB
	http *httptest.Server

	mu     sync.Mutex
	secret string
	got    []received
	tries  map[string]int                                // by id
	answer func(m webhook.Message, try int) (status int) // nil: accepts all
}

type received struct {
	webhook.Message
	id, body string
}

// noLog is for servers whose failures are meant.
var noLog = log.New(io.Discard, "", 0)

// listenAt listens at an address that was used before.
func listenAt(t testing.TB, address string) net.Listener {
	return testrun.Must(net.Listen("tcp", address))(t)
}

func startReceiver(t testing.TB) *receiver {
	r := &receiver{t: t, tries: map[string]int{}}
	r.http = httptest.NewServer(r)
	t.Cleanup(r.http.Close)
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return // the service was killed
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.verified(req.Header, body) {
		r.t.Errorf("a wrong signature: %v %s", req.Header, body)
	}
	got := received{id: req.Header.Get("webhook-id"), body: string(body)}
	if err := json.Unmarshal(body, &got.Message); err != nil {
		r.t.Errorf("%v: %s", err, body)
	}
	r.tries[got.id]++
	status := http.StatusNoContent
	if r.answer != nil {
		status = r.answer(got.Message, r.tries[got.id])
	}
	if status/100 == 2 {
		r.got = append(r.got, got)
	}
	w.WriteHeader(status)
}

// verified does what receivers do: see the specification of Standard Webhooks.
func (r *receiver) verified(h http.Header, body []byte) bool {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(r.secret, "whsec_"))
	if _, bad := strconv.ParseInt(h.Get("webhook-timestamp"), 10, 64); err != nil || bad != nil {
		return false
	}
	sum := hmac.New(sha256.New, key)
	sum.Write([]byte(h.Get("webhook-id") + "." + h.Get("webhook-timestamp") + "."))
	sum.Write(body)
	return slices.Contains(strings.Fields(h.Get("webhook-signature")), "v1,"+base64.StdEncoding.EncodeToString(sum.Sum(nil)))
}

// sets lets the receiver answer otherwise from now on.
func (r *receiver) sets(answer func(webhook.Message, int) int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = answer
}

func (r *receiver) all() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.got)
}

// events returns event and id of what was accepted, without repeats.
func (r *receiver) events() (all []string) {
	seen := map[string]bool{}
	for _, m := range r.all() {
		if !seen[m.id] {
			all = append(all, m.Event+" "+strconv.FormatInt(m.ID, 10))
		}
		seen[m.id] = true
	}
	return all
}

// of returns the events of a paper or category.
func (r *receiver) of(id string) (all []string) {
	for _, e := range r.events() {
		if event, of, _ := strings.Cut(e, " "); of == id {
			all = append(all, event)
		}
	}
	return all
}

// hook adds a webhook for a receiver.
func (s *server) hook(r *receiver, events ...string) int64 {
	s.t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	w := testrun.Must(s.admin().AddWebhook("default", r.http.URL+"/hook", events, true))(s.t)
	r.secret = w.Secret
	db := s.place().Beside(s.t)
	s.until(func() (begun bool) { // the clock of the command is another one than that of the service
		require.NoError(s.t, db.Read(s.t.Context(), func(tx store.Reader) error {
			told, err := tx.Told(1)
			begun = told.Equal(s.options.Now())
			return err
		}))
		return begun
	})
	return w.ID
}

// until waits for a condition, and makes the senders look.
func (s *server) until(condition func() bool, words ...any) {
	s.t.Helper()
	require.Eventually(s.t, func() bool {
		s.inside().Webhooks.Wake()
		return condition()
	}, testrun.Patience(), 10*time.Millisecond, words...)
}

// waiting returns what waits for the oldest webhook, and what is aside.
func (s *server) waiting() (waiting, aside []admin.Notice) {
	s.t.Helper()
	if s.asked == nil {
		s.asked = s.admin()
	}
	all := testrun.Must(s.asked.Webhooks("default"))(s.t)
	return all[0].Waiting, all[0].Aside
}

// made creates a paper that has a PDF, as far as the log of changes knows.
func (s *server) made(name string) (id string) {
	s.t.Helper()
	id = s.paper(s.root(), name)
	s.beside(id, func(tx store.Writer, id int64) error {
		return tx.SetProcessing(id, store.Processing{At: clock, PDFKB: 1})
	})
	return id
}

// movingClock is the time of a service, which a test moves.
type movingClock struct{ at atomic.Int64 }

func movedBy(o *service.Options) *movingClock {
	c := &movingClock{}
	c.at.Store(clock.Unix())
	o.Now = c.now
	return c
}

func (c *movingClock) now() time.Time { return time.Unix(c.at.Load(), 0).UTC() }

func (c *movingClock) move(d time.Duration) { c.at.Add(int64(d / time.Second)) }

// startMoving starts a service with a clock that the test moves.
func startMoving(t testing.TB, change ...func(*service.Options)) (*server, *movingClock) {
	var c *movingClock
	return start(t, append(change, func(o *service.Options) { c = movedBy(o) })...), c
}
