package document

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"paperfs/cache/notify"
	"paperfs/remote/clock"
)

// DefaultBytes bounds the answers in memory if Options does not.
const DefaultBytes = 64 << 20

// New returns a cache. It makes no requests.
func New(o Options) (*Cache, error) {
	o.Bytes, o.Log = cmp.Or(o.Bytes, DefaultBytes), cmp.Or(o.Log, slog.Default())
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Slept == nil {
		o.Slept = clock.Slept
	}
	if o.PinPDFs == nil {
		o.PinPDFs = func(int64, []string) {}
	}
	public, err := linkBase(o.PublicURL, o.BaseURL)
	if err != nil {
		return nil, err
	}
	c := &Cache{service: o.Service, state: o.State, db: o.State.DB(), ttl: o.TTL, public: public, options: o.PDFOptions, checkOptions: o.CheckPDFOptions, now: o.Now, log: o.Log, pinPDFs: o.PinPDFs, ownPDF: o.OwnPDF, began: notify.NewBell()}
	if c.documents, err = newMemory(o.Bytes, o.Now, o.Slept, &c.saver); err != nil {
		return nil, err
	}
	if c.lists, err = newMemory(DefaultBytes, o.Now, o.Slept, &c.saver); err != nil {
		return nil, err
	}
	c.saver.path, c.saver.log = o.Saved, o.Log
	if o.Saved != "" {
		c.loadSaved()
		ctx, end := context.WithCancel(context.Background())
		c.saver.dirty, c.saver.end, c.saver.ended = notify.NewBell(), end, make(chan struct{})
		go c.keepSaved(ctx)
	}
	return c, nil
}

// linkBase returns the public URL, or the scheme and host of the service's address.
func linkBase(public, service string) (string, error) {
	for _, address := range []string{public, service} {
		if address == "" {
			continue
		}
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return "", fmt.Errorf("%q is not an http or https address for preview links", address)
		}
		base := url.URL{Scheme: u.Scheme, Host: u.Host}
		if address == public {
			base.Path = strings.TrimRight(u.Path, "/")
		}
		return base.String(), nil
	}
	return "", fmt.Errorf("preview links need the service's address or a public one to begin with")
}
