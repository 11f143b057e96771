package remote

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"paperfs/remote/xmlscan"
)

// Version names one state of a file, a directory or a node of paperfs's own service (contract, 4.10): a random
// number, replaced with each change. 0 means that none is known.
type Version int64

// NoFile, as a condition of UploadFile or MoveFile, means that no file may have the name.
const NoFile Version = -1

// Condition belongs to one change: an operation that takes ifVersion.
type Condition struct {
	// If is the version that the thing must have; of ProcessPDF, the paper's edition. If it has another one, the
	// change fails with VersionConflict, and nothing happens. 0: any. A repeat whose result stands already succeeds.
	If Version
	// Now is the version after a successful change; 0 if the service tells none, and after a deletion.
	Now Version
}

// conditionKey marks a context made by Under.
type conditionKey struct{}

// Under returns a context for a change under a condition. The call fills in Now.
func Under(ctx context.Context, c *Condition) context.Context {
	return context.WithValue(ctx, conditionKey{}, c)
}

// underCondition adds the condition of ctx to a request that takes one, and reads the version in its answer.
func (c *Client) underCondition(ctx context.Context, r *request) {
	under, _ := ctx.Value(conditionKey{}).(*Condition)
	if under == nil || !r.op.takesVersion() {
		return
	}
	switch {
	case under.If == NoFile && r.op == UploadFile:
		r.own = append(r.own, ifVersion, "none")
	case under.If != 0 && under.If != NoFile:
		r.own = append(r.own, ifVersion, decimal(int64(under.If)))
	}
	inner := r.want
	r.want = func() (want reading) {
		if inner != nil {
			want = inner()
		}
		return want.withVersion(func(now Version, told bool) {
			under.Now = now
			if under.If != 0 && !told && c.unjudged.CompareAndSwap(false, true) && c.tellUnjudged != nil {
				c.tellUnjudged(fmt.Errorf("a node of the service did not compare the version that %s required, because it is older than the others: while it serves, changes of others may be replaced or deleted unseen", r.op.Name))
			}
		})
	}
}

// judges reports whether the service judges the version that a change under ctx requires.
func (c *Client) judges(ctx context.Context) bool {
	under, _ := ctx.Value(conditionKey{}).(*Condition)
	offers, _ := c.Offers()
	return under != nil && under.If != 0 && offers.Versions
}

// ifVersion is the parameter of a change with the version that it requires; replaceVersion, of a move with that of
// the file that it replaces.
const ifVersion, replaceVersion = "ifVersion", "replaceVersion"

func (o *Operation) takesVersion() bool { return slices.Contains(o.Own, ifVersion) }

// PreferVersions is the preference (header Prefer) of a client that knows versions.
const PreferVersions = "paperfs-version"

// withVersion also reads the element version. done is called after a success.
func (r reading) withVersion(done func(now Version, told bool)) reading {
	var text string
	var found bool
	first := r.element
	r.element = func(s *xmlscan.Scanner) (err error) {
		if s.Is("version") {
			found = true
			text, err = s.Scalar()
			return err
		}
		if first == nil {
			return nil
		}
		return first(s)
	}
	return r.and(func() error {
		done(parseVersion([]byte(text)), found)
		return nil
	})
}

// attrVersion reads a version from an attribute.
func attrVersion(s *xmlscan.Scanner, name string) Version {
	value := s.Attr(name)
	if value == nil {
		return 0 // most services tell none: no error is made
	}
	return parseVersion(value)
}

// parseVersion returns 0 for what is no number. Some databases of the service make negative ones.
func parseVersion(text []byte) Version {
	n, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
	if err != nil {
		return 0
	}
	return Version(n)
}

// Offers are what a service has that no other has, as its last answer said (contract, 4.10).
type Offers struct {
	Versions bool // IfVersion is judged
	Moves    bool // MoveFile, MoveDirectory, RenamePaper
	Deleted  int  // days for which it keeps what is deleted or replaced
	Events   bool // Events.Wait
	Raw      bool // UploadFile and ProcessPDF take their content raw
	Pages    bool // GetNumberOfPageviewsPerPage
	Reads    bool // the account may only read
	Rate     int  // requests that the account may make in a minute, 0 for no limit, untold where it says nothing
	// PageCounts: trees and news tell how many pages each paper has.
	PageCounts bool
	Copies     bool // CopyPaper
	// Room is what is left of the quota of media files, nil if there is none, or nobody knows.
	Room *Room
}

// Room is what a service had left for media files at a time.
type Room struct {
	Left  int64     // bytes
	Asked time.Time // the zero time if it may have changed since
}

// untold is the Rate of a service that tells none.
const untold = -1

// Offers returns what the service offers. known is false before its first answer: a caller then sends what it wants,
// and NotOffered tells that the service lacks it.
func (c *Client) Offers() (o Offers, known bool) {
	if last := c.offers.Load(); last != nil {
		o = *last
		o.Moves, o.Events = o.Moves && !c.onlyTwenty, o.Events && !c.onlyTwenty
		o.Room = c.room.Load()
		o.Raw, o.Versions = o.Raw && !c.forms.Load(), o.Versions && !c.unjudged.Load() && !c.onlyTwenty // without a tree nobody sees what is there instead
		return o, true
	}
	return Offers{}, false
}

// noteOffers reads the header of an answer to good credentials. More may be left than what was told before this client's last
// change of media files.
func (c *Client) noteOffers(r *request, h http.Header) {
	o := parseOffers(h.Values(OffersHeader))
	if r.op == GetTree || r.op == UploadFile {
		if o.Room != nil && r.began.After(c.MediaChanged()) {
			o.Room.Asked = r.began
		}
		c.room.Store(o.Room)
	}
	o.Room = nil // other answers do not tell it
	if last := c.offers.Load(); last == nil || *last != o {
		c.offers.Store(&o)
		if c.rpmTold {
			rate := o.Rate
			if rate == untold {
				rate = c.rpm
			}
			c.limiter.SetLimit(rate)
		}
	}
}

func parseOffers(values []string) (o Offers) {
	o.Rate = untold
	for word := range strings.SplitSeq(strings.Join(values, ","), ",") {
		switch name, value, _ := strings.Cut(strings.TrimSpace(word), "="); name {
		case OfferVersions:
			o.Versions = true
		case OfferMoves:
			o.Moves = true
		case OfferDeleted:
			o.Deleted, _ = strconv.Atoi(value)
		case OfferEvents:
			o.Events = true
		case OfferRaw:
			o.Raw = true
		case OfferPages:
			o.Pages = true
		case OfferReads:
			o.Reads = true
		case OfferRate:
			if n, err := strconv.Atoi(value); err == nil && n >= 0 {
				o.Rate = n
			}
		case OfferRoom:
			if n, err := strconv.ParseInt(value, 10, 64); err == nil {
				o.Room = &Room{Left: n}
			}
		case OfferPageCounts:
			o.PageCounts = true
		case OfferCopies:
			o.Copies = true
		}
	}
	return o
}

// MediaChanged returns when this client last tried to change the media store, the zero time if never. Such a change
// may give papers that link there another edition.
func (c *Client) MediaChanged() time.Time {
	if at := c.mediaChanged.Load(); at != nil {
		return *at
	}
	return time.Time{}
}
