package service

import (
	"context"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

const (
	// mostLines is how many changes an answer tells one by one.
	mostLines = 200
	// mostSeconds is how long a request is held: proxies end those that are silent for a minute.
	mostSeconds = int64(remote.MostWait / time.Second)
	// eventTime is for how long the log has a change: a mount that was not there for some days is told of the jobs since.
	eventTime = 7 * 24 * time.Hour
	// mostClient is how long the name of a client is.
	mostClient = 64
)

// news are what changed after a mark.
type news struct {
	next   string // the mark after it
	events []store.Event
	trees  []string // of more than mostLines: what to fetch; the events are those of jobs then, which no tree has
	lost   bool     // it is not known what changed
}

func (n news) any() bool { return n.lost || len(n.events)+len(n.trees) > 0 }

// follow makes the call one of those that are held. It is over when end was called.
func (c *call) follow() (end func(), err error) {
	if c.op != remote.Wait {
		return func() {}, nil
	}
	if !c.service.followers.join(c.tenant.ID) {
		return nil, c.service.tooMany("Too many requests of this tenant are held: ask from time to time.", remote.MostWait)
	}
	tenant := c.tenant.ID
	return func() { c.service.followers.leave(tenant) }, nil
}

// wait answers when something of the tenant has changed after a mark.
func wait(c *call, w *answer.Writer) error {
	seconds := mostSeconds
	if strings.TrimSpace(c.param("seconds")) != "" {
		var err error
		if seconds, err = c.integer("seconds", 0, mostSeconds); err != nil {
			return err
		}
	}
	after, client := strings.TrimSpace(c.param("after")), c.param("client")
	if len(client) > mostClient {
		return answer.Invalid("client has at most %d bytes.", mostClient)
	}
	w.Release() // who waits holds no buffer
	n, err := c.awaitNews(after, client, time.Duration(seconds)*time.Second)
	w.Take(c.reply)
	if err == nil {
		c.writeNews(w, n)
	}
	return err
}

// awaitNews returns what is new, and nothing after a time, at the end of the service, and for no mark.
func (c *call) awaitNews(after, client string, atMost time.Duration) (n news, err error) {
	all := c.service.followers
	timer := time.NewTimer(atMost)
	defer timer.Stop()
	for first := after == ""; ; after = n.next {
		changed := all.news(c.tenant.ID)
		n, err = c.newsAfter(after, client)
		var again <-chan time.Time
		if errors.Is(err, store.ErrSlow) && !first { // others took all slots
			n, err, again = news{next: after}, nil, time.After(lookPause)
		}
		if err != nil || first || n.any() {
			return n, err
		}
		select {
		case <-changed:
		case <-again:
		case <-timer.C:
			return n, nil
		case <-all.ended:
			return n, nil
		case <-c.ctx().Done(): // nobody hears the answer
			return n, nil
		}
	}
}

// newsAfter reads what changed after a mark.
func (c *call) newsAfter(after, client string) (n news, err error) {
	err = c.readLong(c.service.told, func(tx store.Reader) error {
		n = news{}
		epoch, err := tx.Epoch()
		if err != nil {
			return err
		}
		last, err := tx.LastEvent(c.tenant.ID)
		if err != nil {
			return err
		}
		n.next = epoch + "." + strconv.FormatInt(last, 10)
		if after == "" || after == n.next {
			return nil
		}
		of, text, _ := strings.Cut(after, ".")
		number, bad := strconv.ParseInt(text, 10, 64)
		has := false
		if bad == nil {
			has, err = tx.HasEvent(c.tenant.ID, of, number)
		}
		if err != nil || !has {
			n.lost, n.trees = true, []string{"media", "papers"}
			return err
		}
		return c.readNews(tx, &n, number, client)
	})
	return n, err
}

func (c *call) readNews(tx store.Reader, n *news, number int64, client string) error {
	events, err := tx.Events(c.tenant.ID, number, 0, client, mostLines+1)
	if err != nil {
		return err
	}
	if len(events) > mostLines {
		kinds, err := tx.EventKinds(c.tenant.ID, number, client)
		for _, kind := range kinds {
			if tree := treeOf(kind); !slices.Contains(n.trees, tree) {
				n.trees = append(n.trees, tree)
			}
		}
		if err == nil {
			events, err = tx.Events(c.tenant.ID, number, store.EventJob, client, mostLines+1)
		}
		if err != nil || len(events) > mostLines {
			return err
		}
	}
	for _, e := range events {
		if e.Kind != store.EventKept || c.account.Role >= remote.Editor { // as GetDeleted
			n.events = append(n.events, e)
		}
	}
	return nil
}

// treeOf returns what to fetch after a change.
func treeOf(kind store.EventKind) string {
	switch kind {
	case store.EventFile, store.EventDir, store.EventKept:
		return "media"
	}
	return "papers"
}

func (c *call) writeNews(w *answer.Writer, n news) {
	attrs := []answer.Attr{answer.String("next", n.next)}
	if n.lost {
		attrs = append(attrs, answer.String("lost", "true"))
	}
	if !n.any() {
		w.Empty("events", attrs...)
		return
	}
	w.Open("events", attrs...)
	for _, e := range n.events {
		w.Empty("event", c.describeEvent(e)...)
	}
	for _, tree := range n.trees {
		w.Empty("tree", answer.String("kind", tree))
	}
	w.Close("events")
}

var eventWords = map[store.EventKind]string{store.EventNode: "node", store.EventFile: "file", store.EventDir: "directory", store.EventJob: "job",
	store.EventSetting: "setting", store.EventKept: "deleted"}

// describeEvent returns what a client needs to have the thing in its tree as it is now.
func (c *call) describeEvent(e store.Event) []answer.Attr {
	attrs := []answer.Attr{answer.String("kind", eventWords[e.Kind]), answer.Int("id", e.ID)}
	switch e.Kind {
	case store.EventJob:
		attrs = append(attrs, answer.String("job", e.Of), answer.String("status", string(e.Status)))
	case store.EventSetting:
		attrs = append(attrs, answer.String("name", e.Of))
	}
	if e.Gone {
		return append(attrs, answer.String("gone", "true"))
	}
	switch e.Kind {
	case store.EventNode:
		return append(attrs, describeNode(e)...)
	case store.EventFile:
		attrs = append(attrs, answer.Int("size", rules.KB(e.Size)), answer.Int("bytes", e.Size), answer.String("sha256", hex.EncodeToString(e.SHA256[:])),
			answer.String("url", c.service.base.Public(c.request, c.tenant, address.File(store.File{ID: e.ID, Name: e.Name}))))
		fallthrough
	case store.EventDir, store.EventKept:
		attrs = append(attrs, answer.Int("parent", e.Parent), answer.String("name", e.Name), answer.Int("version", e.Version))
	}
	return attrs
}

func describeNode(e store.Event) []answer.Attr {
	attrs := []answer.Attr{answer.Int("parent", e.Parent), answer.String("name", e.Name), answer.Int("version", e.Version), answer.String("url", e.URLName)}
	if p := e.Period; !p.IsZero() {
		attrs = append(attrs, answer.String("publicationperiod-from", rules.FormatTime(p.From)), answer.String("publicationperiod-to", rules.FormatTime(p.To)))
	}
	if e.Node == remote.PaperNode {
		attrs = append(attrs, answer.String("is", "paper"), answer.Int("edition", e.Edition))
		if e.Pages > 0 {
			attrs = append(attrs, answer.Int("pages", int64(e.Pages)))
		}
		return attrs
	}
	return append(attrs, answer.String("is", "category"))
}

// signed makes a change that its client is not told of, if the client has a name.
func (c *call) signed(h http.Header, f func(tx store.Writer) error) func(tx store.Writer) error {
	client := h.Get(remote.ClientHeader)
	if client == "" || len(client) > mostClient {
		return f
	}
	return func(tx store.Writer) error {
		before, err := tx.LastEvent(c.tenant.ID)
		if err == nil {
			err = f(tx)
		}
		if err == nil {
			err = tx.SignEvents(c.tenant.ID, before, client)
		}
		return err
	}
}

const (
	// mostFollowers is how many requests of a tenant this process holds.
	mostFollowers = 1000
	// lookPause is how long a change by another process waits until somebody looks for it.
	lookPause = 250 * time.Millisecond
	// lookGap is between two looks: who changes much wakes those who are held 20 times a second at most.
	// A change after a quiet time is told at once.
	lookGap = 50 * time.Millisecond
	// mostTold is how many followers at a time read what is new: a change that many wait for leaves the
	// connections to calls.
	mostTold = 2
)

// followers are the held requests, and the webhooks that this process sends for. While there are any, one goroutine looks at the log of changes for all of them:
// after each change by this process, and from time to time for those by others. A held request has no transaction.
type followers struct {
	store store.Store

	mu      sync.Mutex           // guards all below; nothing is awaited under it
	tenants map[int64]*following // of tenants that anybody follows
	looking bool                 // the goroutine runs
	looks   sync.WaitGroup
	changed chan struct{} // has one element when there may be something new
	ended   chan struct{} // closed when no request is held any more
	end     func()
}

// following is a tenant with followers.
type following struct {
	held int
	last int64         // the newest row of the log that is known
	news chan struct{} // closed when there is a newer one
}

func newFollowers(s store.Store) *followers {
	f := &followers{store: s, tenants: map[int64]*following{}, changed: make(chan struct{}, 1), ended: make(chan struct{})}
	f.end = sync.OnceFunc(func() { close(f.ended) })
	return f
}

// join adds a request of a tenant; false if it has too many. Each needs its leave.
func (f *followers) join(tenant int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	t := f.tenants[tenant]
	if t == nil {
		t = &following{last: -1, news: make(chan struct{})} // -1: the first look tells, whatever happened before it
		f.tenants[tenant] = t
	}
	if t.held == mostFollowers {
		return false
	}
	t.held++
	if !f.looking {
		f.looking = true
		f.looks.Go(f.look)
	}
	return true
}

// follow is join for a webhook.
func (f *followers) follow(tenant int64) (news func() <-chan struct{}, end func()) {
	if !f.join(tenant) {
		return func() <-chan struct{} { return nil }, func() {}
	}
	return func() <-chan struct{} { return f.news(tenant) }, func() { f.leave(tenant) }
}

func (f *followers) leave(tenant int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	t := f.tenants[tenant]
	if t.held--; t.held == 0 {
		delete(f.tenants, tenant)
	}
	if len(f.tenants) == 0 {
		f.hurry() // it ends
	}
}

// news returns what is closed when a tenant has something newer than what a read that begins now finds.
func (f *followers) news(tenant int64) <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tenants[tenant].news
}

// hurry makes the goroutine look now.
func (f *followers) hurry() {
	select {
	case f.changed <- struct{}{}:
	default:
	}
}

// wrote is called after a change.
func (f *followers) wrote(tenant int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.tenants[tenant] != nil || tenant == store.AllTenants && len(f.tenants) > 0 {
		f.hurry()
	}
}

// look tells followers of what is new, until nobody follows.
func (f *followers) look() {
	for {
		tenants := f.followed()
		if len(tenants) == 0 {
			return
		}
		gap := time.After(lookGap)
		last := make([]int64, len(tenants))
		err := f.store.Read(context.Background(), func(tx store.Reader) (err error) {
			for i, tenant := range tenants {
				if last[i], err = tx.LastEvent(tenant); err != nil {
					return err
				}
			}
			return nil
		})
		if err == nil { // else the next look finds it, and the calls tell what is wrong
			f.tell(tenants, last)
		}
		select {
		case <-f.changed:
		case <-time.After(lookPause):
		}
		select {
		case <-gap:
		case <-f.ended:
		}
	}
}

// followed returns the tenants that are followed. If there are none, the goroutine has to end.
func (f *followers) followed() (tenants []int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for tenant := range f.tenants {
		tenants = append(tenants, tenant)
	}
	f.looking = len(tenants) > 0
	return tenants
}

func (f *followers) tell(tenants, last []int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, tenant := range tenants {
		if t := f.tenants[tenant]; t != nil && t.last != last[i] {
			t.last = last[i]
			close(t.news)
			t.news = make(chan struct{})
		}
	}
}

// close ends all requests, and waits for the goroutine: the records are closed after it.
func (f *followers) close() {
	f.end()
	f.hurry()
	f.looks.Wait()
}

// followed is a store that tells followers of each change.
type followed struct {
	store.Store
	followers *followers
}

// Write implements store.Store.
func (s followed) Write(ctx context.Context, tenant int64, f func(store.Writer) error) error {
	err := s.Store.Write(ctx, tenant, f)
	s.followers.wrote(tenant)
	return err
}
