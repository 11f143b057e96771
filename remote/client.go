package remote

import (
	"cmp"
	"context"
	crand "crypto/rand"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"paperfs/remote/clock"
	"paperfs/remote/ratelimit"
)

// The defaults of Options.
const (
	DefaultMaxWait    = 10 * time.Second
	DefaultStallLimit = 30 * time.Second
	DefaultReplyLimit = 2 * time.Minute
)

// Options say which service a Client speaks to, and how.
type Options struct {
	// BaseURL is the service's address: scheme, host, and perhaps a path, with or without
	// a slash at the end.
	BaseURL, Username, Password string
	// OnlyTwenty makes calls of extended operations fail with NotOffered.
	OnlyTwenty bool
	// AllowPlainHTTP allows sending credentials over http to other machines.
	AllowPlainHTTP bool
	// EscapeAll percent-encodes / and =, too, in the base64 of content.
	EscapeAll bool
	// CAFile has certificates in PEM that are trusted besides those of the system.
	CAFile string
	// ContentHosts are further hosts, HOST or HOST:PORT, from which content may be read,
	// with any address and also by http.
	ContentHosts []string
	// RPM is the most requests that are begun in any minute; 0 is no limit.
	RPM int
	// RPMTold means that a service that tells how many requests the account may make in a minute decides in place of RPM.
	RPMTold bool
	// Requests is a file that records when requests began, so that the requests of earlier
	// clients with the same file count for RPM, too. Empty: none.
	Requests string
	// MaxWait is how long a read may wait for the budget of RPM. A read that would
	// wait longer fails at once with OverBudget. A change waits for its turn.
	MaxWait time.Duration
	// A call fails if no byte moves in either direction for StallLimit, or if the
	// service takes longer than ReplyLimit from the last byte of a request to the
	// first byte of its answer. A whole call has no limit.
	StallLimit, ReplyLimit time.Duration
	// Transport carries the calls to the service; nil for HTTP. It may use [PlainBody].
	// Content is read from its address by HTTP in either case.
	Transport http.RoundTripper
	// Log gets one debug line per call, without the values of parameters.
	Log *slog.Logger
	Now func() time.Time
	// MayChange returns an error if nothing may be changed, which calls that would do so then return. It may be nil.
	MayChange func() error
	// Unjudged is told, once, that a change was made whose condition nobody judged. From then on, the service counts as one
	// that does not offer versions. It may be nil.
	Unjudged func(error)
}

// Client calls the operations of the service. It is safe for concurrent use.
type Client struct {
	base               *url.URL
	username, password string
	onlyTwenty         bool
	escaping           escaping
	stall, reply       time.Duration
	maxWait            time.Duration
	mostMedia          mediaBound
	log                *slog.Logger
	transport          *http.Transport
	content            *contentTransport
	mayChange          func() error
	http, downloads    *http.Client
	clock              clock.Clock
	jitter             func() float64 // in [0,1)
	limiter            *ratelimit.Limiter
	rpm                int // until the service tells another, where rpmTold
	rpmTold            bool
	health             *health
	counters           counters
	underWay           underWay
	requests           atomic.Uint64
	name               atomic.Pointer[string] // of this client, see ClientHeader
	ended              context.Context        // ended by end
	end                context.CancelFunc
	absences           *absences
	offers             atomic.Pointer[Offers] // of the last answer; nil before the first
	mediaChanged       atomic.Pointer[time.Time]
	room               atomic.Pointer[Room]
	forms              atomic.Bool // raw content was refused: it goes in forms, although the service offers raw
	unjudged           atomic.Bool // a condition was not judged, although the service offers versions
	tellUnjudged       func(error)
}

// New returns a client. It makes no requests. Its errors are sentences for the user.
func New(o Options) (*Client, error) {
	base, err := baseURL(o.BaseURL, o.AllowPlainHTTP)
	if err != nil {
		return nil, err
	}
	transport, err := newTransport(o.CAFile)
	if err != nil {
		return nil, err
	}
	// On loopback, compression takes longer than it saves.
	transport.DisableCompression = loopback(base.Hostname())
	content, err := newContentTransport(base, o.ContentHosts, transport)
	if err != nil {
		return nil, err
	}
	if o.RPM < 0 {
		return nil, fmt.Errorf("the request limit is %d a minute: it must be positive, or 0 for none", o.RPM)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	clk := clock.System
	if o.Now != nil {
		clk.Now = o.Now
	}
	limiter, err := ratelimit.New(o.RPM, clk), error(nil)
	if o.Requests != "" {
		limiter, err = ratelimit.Open(o.RPM, clk, o.Requests)
	}
	if err != nil {
		o.Log.Warn("requests of an earlier mount do not count for the limit", "error", err)
	}
	c := &Client{
		base: base, username: o.Username, password: o.Password, onlyTwenty: o.OnlyTwenty, escaping: plusAlone,
		stall: cmp.Or(max(o.StallLimit, 0), DefaultStallLimit), reply: cmp.Or(max(o.ReplyLimit, 0), DefaultReplyLimit),
		maxWait: cmp.Or(max(o.MaxWait, 0), DefaultMaxWait), mostMedia: mostMedia,
		log: o.Log, transport: transport, content: content, mayChange: o.MayChange, tellUnjudged: o.Unjudged, clock: clk, jitter: rand.Float64,
		limiter: limiter, rpm: o.RPM, rpmTold: o.RPMTold, health: newHealth(clk.Now),
		absences: &absences{now: clk.Now, asking: make(chan struct{}, 1), answered: make(map[*Operation]bool), lacking: make(map[*Operation]absence)},
	}
	if o.EscapeAll {
		c.escaping = allThree
	}
	c.rename()
	c.ended, c.end = context.WithCancel(context.Background())
	c.http = &http.Client{Transport: transport, CheckRedirect: keepMethod}
	if o.Transport != nil {
		c.http.Transport = o.Transport
	}
	c.downloads = &http.Client{Transport: content, CheckRedirect: keepHost}
	return c, nil
}

// Name returns the client's random name. Wait with it does not tell of the changes that this client makes. The client
// takes another one when the outcome of a change is unknown: should it happen later, it is told like those of others.
func (c *Client) Name() string { return *c.name.Load() }

func (c *Client) rename() { c.name.Store(new(crand.Text())) }

// Account returns the user name that the calls are made with.
func (c *Client) Account() string { return c.username }

// Close drops the idle connections. Calls under way go on: see End.
func (c *Client) Close() {
	_ = c.limiter.Close() // nothing is left to write to its file
	c.transport.CloseIdleConnections()
	c.content.other.CloseIdleConnections()
}

// baseURL checks an address to which credentials will be sent.
func baseURL(address string, allowPlain bool) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		// The error of Parse repeats the address, which may hold a password.
		return nil, fmt.Errorf("the service's address is not a URL: write it like https://host/path")
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("the service's address %q has no http or https scheme or no host: write it like https://host/path", u.Redacted())
	case u.User != nil:
		return nil, fmt.Errorf("the service's address %q contains credentials: give the user name and the password separately", u.Redacted())
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("the service's address %q has a query or a fragment: leave it out", u.Scheme+"://"+u.Host+u.Path)
	case u.Scheme == "http" && !allowPlain && !loopback(u.Hostname()):
		return nil, &PlainHTTPError{u.String()}
	}
	u.Path = strings.TrimSuffix(u.Path, "/")
	if right := basePath(u.Path); right != u.Path {
		wrong := u.String()
		u.Path, u.RawPath = right, ""
		return nil, fmt.Errorf("the service's address %q has a slash too many, or names a part of the service such as /V2: write %s", wrong, u)
	}
	u.RawPath = ""
	return u, nil
}

// basePath returns the path of a service's address without empty parts, and without the
// part with which the paths of operations begin.
func basePath(path string) string {
	var parts []string
	for part := range strings.SplitSeq(path, "/") {
		if strings.EqualFold(part, "V2") || strings.HasSuffix(strings.ToLower(part), ".asmx") {
			break
		}
		if part != "" {
			parts = append(parts, "/"+part)
		}
	}
	return strings.Join(parts, "")
}

// backgroundKey marks a context of background calls.
type backgroundKey struct{}

// Background marks the calls made with ctx as background calls. Calls that a person waits
// for take precedence.
func Background(ctx context.Context) context.Context {
	return context.WithValue(ctx, backgroundKey{}, true)
}

// IsBackground reports whether the calls made with ctx are background calls.
func IsBackground(ctx context.Context) bool { return ctx.Value(backgroundKey{}) != nil }

// patientKey marks a context whose reads wait for the request budget for as
// long as changes do.
type patientKey struct{}

// Patient is for a change and the reads that belong to it. A read that checks whether the
// change may be made, or has taken effect, must not fail because of the budget.
func Patient(ctx context.Context) context.Context {
	return context.WithValue(ctx, patientKey{}, true)
}

// IsPatient reports whether the calls made with ctx wait for the request budget as long as changes do.
func IsPatient(ctx context.Context) bool { return ctx.Value(patientKey{}) != nil }

// mostKey marks a context with a limit of attempts.
type mostKey struct{}

// Briefly is for calls that only check whether the service answers: the client attempts them at most twice.
func Briefly(ctx context.Context) context.Context { return context.WithValue(ctx, mostKey{}, 2) }

// Once is for a change that depends on what the service said a moment ago: the client attempts it once. A caller
// that repeats it asks the service again first.
func Once(ctx context.Context) context.Context { return context.WithValue(ctx, mostKey{}, 1) }

// enough reports whether a context allows no further attempt after so many.
func enough(ctx context.Context, attempts int) bool {
	most, limited := ctx.Value(mostKey{}).(int)
	return limited && attempts >= most
}

// PlainHTTPError refuses an address that would send the password unencrypted
// to another machine.
type PlainHTTPError struct{ URL string }

func (e *PlainHTTPError) Error() string {
	return fmt.Sprintf("the service's address %q would send the password over plain http: use https, or allow plain http if the network is trusted", e.URL)
}
