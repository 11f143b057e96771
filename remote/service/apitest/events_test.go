package apitest

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// told is an answer of Wait.
type told struct {
	Next   string      `xml:"next,attr"`
	Lost   bool        `xml:"lost,attr"`
	Events []toldEvent `xml:"event"`
	Trees  []struct {
		Kind string `xml:"kind,attr"`
	} `xml:"tree"`
}

type toldEvent struct {
	Kind    string `xml:"kind,attr"`
	ID      string `xml:"id,attr"`
	Parent  string `xml:"parent,attr"`
	Name    string `xml:"name,attr"`
	Version string `xml:"version,attr"`
	Gone    bool   `xml:"gone,attr"`
	Status  string `xml:"status,attr"`
	Account string `xml:"account,attr"`
}

func (e toldEvent) String() string {
	text := strings.Join(strings.Fields(e.Kind+" "+e.ID+" "+e.Name+" "+e.Status), " ")
	if e.Gone {
		text += " gone"
	}
	return text
}

func (n told) lines() (all []string) {
	for _, e := range n.Events {
		all = append(all, e.String())
	}
	for _, k := range n.Trees {
		all = append(all, "tree "+k.Kind)
	}
	return all
}

func (r reply) told(t testing.TB) (n told) {
	t.Helper()
	require.Equal(t, remote.Success, r.code, r.body)
	require.NoError(t, xml.Unmarshal([]byte(r.data), &n), r.body)
	return n
}

// mark returns the present mark.
func (s *server) mark() string {
	s.t.Helper()
	return s.must(remote.Wait, "after", "", "seconds", "").told(s.t).Next
}

// after returns what changed after a mark, at once.
func (s *server) after(mark string, pairs ...string) told {
	s.t.Helper()
	return s.must(remote.Wait, append([]string{"after", mark, "seconds", "0"}, pairs...)...).told(s.t)
}

// held begins a Wait that lasts longer than a test, and returns its answer when it comes.
func (s *server) held(mark string, pairs ...string) <-chan reply {
	s.t.Helper()
	before := s.inside().Followers()
	answered := make(chan reply, 1)
	go func() {
		answered <- s.call(remote.Wait, append([]string{"after", mark, "seconds", "55"}, pairs...)...)
	}()
	require.Eventually(s.t, func() bool { return s.inside().Followers() == before+1 }, testrun.Patience(), time.Millisecond)
	return answered
}

func (s *server) answer(held <-chan reply) reply {
	s.t.Helper()
	var r reply
	select {
	case r = <-held:
	case <-time.After(testrun.Patience()):
		require.Fail(s.t, "the held request has no answer")
	}
	return r
}

// named sends a change in the name of a client.
func (s *server) named(client string, op *remote.Operation, pairs ...string) reply {
	s.t.Helper()
	form := s.credentials(op)
	for name, values := range params(pairs...) {
		form[name] = values
	}
	r := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+op.Path(), strings.NewReader(credentialsFirst(form))))(s.t)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set(remote.ClientHeader, client)
	done := s.do(r)
	require.Equal(s.t, remote.Success, done.code, done.body)
	return done
}

// TestEveryChangeIsTold changes all that Wait tells of.
func TestEveryChangeIsTold(t *testing.T) {
	t.Parallel()
	s := start(t)
	mark := s.mark()
	require.Empty(t, s.after(mark).lines())
	expect := func(lines ...string) {
		t.Helper()
		n := s.after(mark)
		require.False(t, n.Lost)
		require.ElementsMatch(t, lines, n.lines()) // those of one change come in any order
		require.NotEqual(t, mark, n.Next)
		mark = n.Next
		require.Empty(t, s.after(mark).lines())
	}
	s.must(remote.CreateDirectory, "parentID", "0", "name", "d")
	expect("directory 1 d")
	f := s.upload("1", "f", "1")
	expect("file " + f + " f")
	s.upload("1", "f", "2")
	require.Equal(t, "1", s.after(mark).Events[0].Parent)
	expect("deleted 1 f", "file "+f+" f")
	s.must(remote.MoveFile, "fileID", f, "parentID", "0", "name", "g")
	expect("file " + f + " g")
	s.must(remote.DeleteFile, "fileID", f)
	expect("deleted 2 g", "file "+f+" gone")
	s.must(remote.DeleteDirectory, "directoryID", "1")
	expect("deleted 3 d", "directory 1 gone")

	paper := s.paper(s.root(), "p")
	expect("node " + paper + " p")
	s.must(remote.RenamePaper, "paperID", paper, "name", "q")
	expect("node " + paper + " q")
	s.must(remote.ChangePaperUrl, "paperID", paper, "newUrl", "r")
	expect("node " + paper + " q")
	s.must(remote.SetPublicationPeriod, "paperID", paper, "from", "2031-01-01 00:00:00", "to", "2032-01-01 00:00:00")
	expect("node " + paper + " q")
	s.must(remote.SetSetting, "paperID", paper, "setting", "language", "value", "de")
	expect("setting " + paper + " language")
	s.must(remote.DeletePaper, "paperID", paper)
	entry := s.deleted()[0].Entry
	expect("deleted "+entry+" q", "node "+paper+" gone")
	s.must(remote.Restore, "entryID", entry)
	expect("node "+paper+" q", "deleted "+entry+" gone")
}

// TestOwnChangesAreNotTold checks that a client is told of all changes but its own.
func TestOwnChangesAreNotTold(t *testing.T) {
	t.Parallel()
	s := start(t)
	mark := s.mark()
	s.named("me", remote.CreateDirectory, "parentID", "0", "name", "mine")
	s.must(remote.CreateDirectory, "parentID", "0", "name", "theirs")
	s.named("she", remote.CreateDirectory, "parentID", "0", "name", "hers")
	require.Equal(t, []string{"directory 2 theirs", "directory 3 hers"}, s.after(mark, "client", "me").lines())
	require.Equal(t, []string{"directory 1 mine", "directory 2 theirs", "directory 3 hers"}, s.after(mark).lines())
	mark = s.after(mark, "client", "me").Next
	held := s.held(mark, "client", "me")
	s.named("me", remote.CreateDirectory, "parentID", "0", "name", "mine too")
	s.must(remote.CreateDirectory, "parentID", "0", "name", "last")
	require.Equal(t, []string{"directory 5 last"}, s.answer(held).told(t).lines())
	require.Equal(t, remote.Failure, s.call(remote.Wait, "after", mark, "seconds", "0", "client", strings.Repeat("x", 65)).code)
	require.Equal(t, remote.Failure, s.call(remote.Wait, "after", mark, "seconds", "56").code)
}

// TestTenantsAreToldApart holds requests of two tenants: the change of one is told to its own only.
func TestTenantsAreToldApart(t *testing.T) {
	t.Parallel()
	s := start(t)
	other := s.tenantNamed("other")
	mark, otherMark := s.mark(), other.mark()
	mine, others := s.held(mark), other.held(otherMark)
	other.must(remote.CreateDirectory, "parentID", "0", "name", "d")
	require.Equal(t, []string{"directory 1 d"}, other.answer(others).told(t).lines())
	require.Empty(t, s.after(mark).lines())
	require.True(t, s.after(other.mark()).Lost, "a tenant does not know the mark of another")
	s.must(remote.CreateDirectory, "parentID", "0", "name", "e")
	require.Equal(t, []string{"directory 2 e"}, s.answer(mine).told(t).lines())
}

// TestAChangeByAnotherProcessIsTold changes the records beside the service, as another node or paperfs admin does.
func TestAChangeByAnotherProcessIsTold(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper(s.root(), "p")
	mark := s.mark()
	held := s.held(mark)
	s.beside(paper, func(tx store.Writer, id int64) error { return tx.SetSetting(id, "language", "de") })
	require.Equal(t, []string{"setting " + paper + " language"}, s.answer(held).told(t).lines())
}

// whenRead is a store with which something is done when a held request has read what is new, before it waits.
type whenRead struct {
	store.Store
	reads atomic.Int64
	then  atomic.Pointer[func()]
}

func (w *whenRead) Read(ctx context.Context, f func(store.Reader) error) error {
	var news bool
	err := w.Store.Read(ctx, func(tx store.Reader) error { return f(newsReader{tx, &news}) })
	if news {
		w.reads.Add(1)
		if then := w.then.Swap(nil); then != nil {
			(*then)()
		}
	}
	return err
}

// newsReader notes that it was asked for what is new.
type newsReader struct {
	store.Reader
	asked *bool
}

func (n newsReader) LastEvent(tenant int64) (int64, error) {
	*n.asked = true
	return n.Reader.LastEvent(tenant)
}

// TestAChangeWhileAHeldRequestBeginsToWaitIsTold changes something after a held request has found nothing new, and lets it
// go on when all others were told of that.
func TestAChangeWhileAHeldRequestBeginsToWaitIsTold(t *testing.T) {
	t.Parallel()
	s := start(t)
	w := &whenRead{}
	s.wrapStore(func(inner store.Store) store.Store { w.Store = inner; return w })
	defer s.inside().Follow(1)() // what this tenant was told of is known from now on
	held := s.held(s.mark())
	s.must(remote.CreateDirectory, "parentID", "0", "name", "before")
	s.answer(held)
	mark, reads := s.mark(), w.reads.Load()
	other := s.held(mark)
	require.Eventually(t, func() bool { return w.reads.Load() > reads }, testrun.Patience(), time.Millisecond)
	change := func() {
		assert.NoError(t, w.Write(context.Background(), 1, func(tx store.Writer) error {
			_, err := tx.AddDir(1, store.Dir{Name: "meanwhile"})
			return err
		}))
		<-other
	}
	w.then.Store(&change)
	require.Equal(t, []string{"directory 2 meanwhile"}, s.must(remote.Wait, "after", mark, "seconds", "20").told(t).lines())
}

// TestManyChangesAreATree makes more changes than an answer tells.
func TestManyChangesAreATree(t *testing.T) {
	t.Parallel()
	s := start(t)
	mark := s.mark()
	for i := range 201 {
		s.must(remote.CreateDirectory, "parentID", "0", "name", strconv.Itoa(i))
	}
	require.Equal(t, []string{"tree media"}, s.after(mark).lines())
	paper := s.paper(s.root(), "p")
	require.ElementsMatch(t, []string{"tree papers", "tree media"}, s.after(mark).lines())
	job := s.queue(paper, pdftest.Text("one"), "")
	_, _ = s.ended(job)
	require.ElementsMatch(t, []string{"job " + paper + " Completed", "tree papers", "tree media"}, s.after(mark).lines(), "no tree has jobs")
}

// TestReadersAreNotToldOfDeletedThings checks that GetDeleted's role holds for its events.
func TestReadersAreNotToldOfDeletedThings(t *testing.T) {
	t.Parallel()
	s := start(t)
	reader := s.account("reader", remote.Reader)
	f := s.upload("0", "f", "1")
	mark := reader.mark()
	s.must(remote.DeleteFile, "fileID", f)
	require.Equal(t, []string{"file " + f + " gone"}, reader.after(mark).lines())
	require.Len(t, s.after(mark).lines(), 2)
}

// TestAHeldRequestEndsWithItsAccountKeyOrService removes its account, changes its key, and drains the service.
func TestAHeldRequestEndsWithItsAccountKeyOrService(t *testing.T) {
	t.Parallel()
	var log logBuffer
	s := start(t, func(o *service.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	reader := s.account("reader", remote.Reader)
	mark := s.mark()
	held, stays := reader.held(mark), s.held(mark)
	require.NoError(t, s.admin().RemoveAccount("default", "reader"))
	require.Equal(t, remote.LoginSecurityViolation, s.answer(held).code)

	other := s.tenantNamed("other")
	held = other.held(other.mark())
	require.NoError(t, s.admin().RemoveTenant("other"))
	require.Equal(t, remote.LoginSecurityViolation, s.answer(held).code)

	ctx, leave := context.WithCancel(t.Context())
	form := s.credentials(remote.Wait)
	form.Set("after", mark)
	form.Set("seconds", "55")
	gone := testrun.Must(http.NewRequestWithContext(ctx, http.MethodGet, s.http.URL+remote.Wait.Path()+"?"+form.Encode(), nil))(t)
	go func() {
		if r, err := http.DefaultClient.Do(gone); err == nil {
			r.Body.Close()
		}
	}()
	require.Eventually(t, func() bool { return s.inside().Followers() == 2 }, testrun.Patience(), time.Millisecond)
	leave()
	require.Eventually(t, func() bool { return s.inside().Followers() == 1 }, testrun.Patience(), time.Millisecond)

	require.Eventually(t, func() bool { return strings.Count(log.String(), "path="+remote.Wait.Path()) == 5 }, testrun.Patience(), time.Millisecond)
	for range 50 { // some leave while the service reads
		ctx, leave := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			if r, err := http.DefaultClient.Do(gone.Clone(ctx)); err == nil {
				r.Body.Close()
			}
		}()
		require.Eventually(t, func() bool { return s.inside().Followers() == 2 }, testrun.Patience(), time.Microsecond)
		leave()
		<-done
		require.Eventually(t, func() bool { return s.inside().Followers() == 1 }, testrun.Patience(), time.Millisecond)
	}
	require.NotContains(t, log.String(), "operation failed", "a client that leaves is no failure")

	s.service.Drain()
	n := s.answer(stays).told(t)
	require.Empty(t, n.lines())
}

// TestACrowdIsHeld holds 500 requests, more than there are connections of the database: calls go on meanwhile, and one
// change answers them all.
func TestACrowdIsHeld(t *testing.T) {
	t.Parallel()
	s := start(t)
	const crowd = 500
	mark := s.mark()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: crowd}}
	defer client.CloseIdleConnections()
	form := s.credentials(remote.Wait)
	form.Set("after", mark)
	form.Set("seconds", "55")
	answers := make(chan string, crowd)
	for range crowd {
		go func() {
			body := get(client, s.http.URL+remote.Wait.Path(), form)
			for strings.Contains(body, "SUCCESS") && !strings.Contains(body, "<event ") { // 55 seconds have passed
				body = get(client, s.http.URL+remote.Wait.Path(), form)
			}
			answers <- body
		}()
	}
	require.Eventually(t, func() bool { return s.inside().Followers() == crowd }, testrun.Patience(), time.Millisecond)
	require.Empty(t, s.after(mark).lines())
	s.must(remote.CreateDirectory, "parentID", "0", "name", "d")
	for range crowd {
		select {
		case body := <-answers:
			require.Contains(t, body, `kind="directory"`)
		case <-time.After(testrun.Patience()):
			require.Fail(t, "a held request has no answer")
		}
	}
	require.Eventually(t, func() bool { return s.inside().Followers() == 0 }, testrun.Patience(), time.Millisecond)
}

// slowLog is a store whose log of changes is read when the test says so.
type slowLog struct {
	store.Store
	entered, release chan struct{}
}

func (l slowLog) Read(ctx context.Context, f func(store.Reader) error) error {
	return l.Store.Read(ctx, func(tx store.Reader) error { return f(slowLogReader{tx, l}) })
}

type slowLogReader struct {
	store.Reader
	log slowLog
}

func (r slowLogReader) Events(tenant, after int64, of store.EventKind, but string, most int) ([]store.Event, error) {
	r.log.entered <- struct{}{}
	<-r.log.release
	return r.Reader.Events(tenant, after, of, but, most)
}

// TestARequestThatFoundNoPlaceIsToldLater checks that a held request reads the log again after others have kept it from reading: it
// tells the change when they are done, although nothing changes then.
func TestARequestThatFoundNoPlaceIsToldLater(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.inside().SetPatience(time.Millisecond)
	log := slowLog{entered: make(chan struct{}, 100), release: make(chan struct{})}
	s.wrapStore(func(inner store.Store) store.Store { log.Store = inner; return log })
	mark := s.mark()
	held := []<-chan reply{s.held(mark), s.held(mark), s.held(mark), s.held(mark)}
	s.must(remote.CreateDirectory, "parentID", "0", "name", "d")
	<-log.entered
	<-log.entered
	require.Empty(t, s.after(mark).lines(), "there is no place")
	close(log.release)
	for _, h := range held {
		require.Equal(t, []string{"directory 1 d"}, s.answer(h).told(t).lines())
	}
}

func get(client *http.Client, address string, form url.Values) string {
	r, err := client.Get(address + "?" + form.Encode())
	if err != nil {
		return fmt.Sprint(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return fmt.Sprint(err)
	}
	return string(body)
}

// TestTooManyAreNotHeld checks the limit of a tenant: its clients poll.
func TestTooManyAreNotHeld(t *testing.T) {
	t.Parallel()
	s := start(t)
	mark := s.mark()
	var places []func()
	for range 1000 {
		places = append(places, s.inside().Follow(1))
	}
	r := s.by(http.MethodGet, remote.Wait, "after", mark, "seconds", "55")
	require.Equal(t, http.StatusTooManyRequests, r.status)
	require.NotEmpty(t, r.header.Get("Retry-After"))
	require.Empty(t, s.tenantNamed("other").after("").lines(), "another tenant has its own")
	for _, leave := range places {
		leave()
	}
	require.Empty(t, s.after(mark).lines())
}

// TestWhoChangedAThingIsTold tells who changed a thing last, and nobody for what the service does itself.
func TestWhoChangedAThingIsTold(t *testing.T) {
	t.Parallel()
	s := start(t)
	anna, ben := s.account("anna", remote.Editor), s.account("ben", remote.Editor)
	mark := s.mark()
	paper := anna.paper("1", "p")
	ben.must(remote.RenamePaper, "paperID", paper, "name", "Ben's")
	anna.must(remote.SetSetting, "paperID", paper, "setting", "public", "value", "false")
	ben.named("his", remote.CreateDirectory, "parentID", "0", "name", "d")
	who := map[string]string{}
	for _, e := range s.after(mark).Events {
		who[e.Kind] = e.Account
	}
	require.Equal(t, map[string]string{"node": "ben", "setting": "anna", "directory": "ben"}, who)
	mark = s.mark()
	s.process(paper, pdftest.Text("one"), "")
	who = map[string]string{}
	for _, e := range s.after(mark).Events {
		who[e.Kind] = e.Account
	}
	require.Equal(t, map[string]string{"node": "", "job": ""}, who, "the service made the pages")
}
