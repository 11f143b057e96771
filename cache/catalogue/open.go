package catalogue

import (
	"context"
	"log/slog"
	"strconv"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"paperfs/cache/notify"
	"paperfs/remote/clock"
)

// New returns a catalogue that starts with the tree in the file Saved, without a request.
// It ignores a saved tree that is damaged or has a different root.
func New(o Options) (*Catalogue, error) {
	root, err := rootAddress(o.RootURL)
	if err != nil {
		return nil, err
	}
	o.RootURL = root
	if o.RootID < 0 {
		return nil, invalid("%d is not the id of a category", o.RootID)
	}
	if o.TTL == 0 {
		o.TTL = DefaultTTL
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Lasts == nil {
		o.Lasts = func(_ time.Time, ttl time.Duration) time.Duration { return ttl }
	}
	if o.Slept == nil {
		o.Slept = clock.Slept
	}
	if o.Report == nil {
		o.Report = func(error) {}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	misses, err := lru.New[string, struct{}](10_000)
	if err != nil {
		return nil, err
	}
	c := &Catalogue{o: o, limits: maxTree, changed: o.Changed, misses: misses, turn: make(chan struct{}, 1),
		notices: notify.New(), dirty: notify.NewBell(), opened: o.Now()}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.fetches.slept = o.Slept()
	c.rootID = c.rememberedRoot()
	c.loadSaved()
	go c.notices.Run()
	loaded := c.snap.Load().edition()
	c.work.Go(func() { c.saveLoop(loaded) })
	return c, nil
}

func rootAddress(url string) (string, error) {
	if strings.Contains(url, "://") {
		return "", invalid("the root is given as a path such as /acme/, not as the whole address %s", strconv.Quote(url))
	}
	return withSlashes(url), nil
}

// Close cancels all requests, saves the tree and waits until both are done.
func (c *Catalogue) Close() {
	c.mu.Lock()
	c.fetches.closed = true
	c.mu.Unlock()
	c.cancel()
	c.notices.Close()
	c.work.Wait()
}
