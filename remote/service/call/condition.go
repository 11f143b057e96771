package call

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"paperfs/remote"
	"paperfs/remote/service/answer"
)

// Condition is the parameter ifVersion of a change. The zero condition always holds.
type Condition struct {
	Sent    bool
	none    bool // nothing may be there
	version int64
}

// Condition reads it.
func (c *Call) Condition() (Condition, error) {
	if c.op == remote.UploadFile && strings.TrimSpace(c.Param("ifVersion")) == "none" {
		return Condition{Sent: true, none: true}, nil
	}
	return c.Required("ifVersion")
}

// Required is condition by another parameter.
func (c *Call) Required(name string) (Condition, error) {
	version, err := c.Version(name)
	if err != nil || version == nil {
		return Condition{}, err
	}
	return Condition{Sent: true, version: *version}, nil
}

// Version reads a parameter that may be empty or absent: nil.
func (c *Call) Version(name string) (*int64, error) {
	text := strings.TrimSpace(c.Param(name))
	if text == "" {
		return nil, nil
	}
	version, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil, answer.Invalid("%s has to be a version from an answer of this service.", name)
	}
	return &version, nil
}

// Judge refuses a change of a thing that has another version; id is 0 if there is none. Before a
// caller returns the refusal, it looks whether the result of the change stands already: a repeat
// after a lost answer succeeds.
func (o Condition) Judge(id, version int64) error {
	switch {
	case !o.Sent, o.none && id == 0, !o.none && id != 0 && version == o.version:
		return nil
	case id == 0:
		f := answer.Refuse(remote.VersionConflict, "It does not exist any more.")
		f.Data = func(w *answer.Writer) { w.Empty("current") }
		return f
	}
	f := answer.Refuse(remote.VersionConflict, "%d has another version: somebody else changed it.", id)
	f.Data = func(w *answer.Writer) { w.Empty("current", answer.Int("id", id), answer.Int("version", version)) }
	return f
}

// Missing returns the refusal of a change of a thing that is not there: a conflict if the caller
// knows a version of it.
func (o Condition) Missing(err error) error {
	if o.Sent {
		return o.Judge(0, 0)
	}
	return err
}

// Gone returns the outcome of a deletion of a thing that is not there: a caller that knows a version
// of it has what it wants.
func (o Condition) Gone(err error) error {
	if o.Sent {
		return nil
	}
	return err
}

// TellsVersion reports whether the answer to a change has more than other services answer. Operations that these have
// tell it only to a client that sent ifVersion or prefers versions.
func (c *Call) TellsVersion() bool {
	return c.op.Offer != "" || c.Param("ifVersion") != "" || c.PrefersVersions()
}

// TellVersion answers a change with the new version of what it changed; 0 for none, after a
// deletion.
func (c *Call) TellVersion(w *answer.Writer, version int64) {
	switch {
	case !c.TellsVersion():
	case version == 0:
		w.Plain("version", "")
	default:
		w.Plain("version", strconv.FormatInt(version, 10))
	}
}

// PrefersVersions reports whether the client wants to know the versions of things.
func (c *Call) PrefersVersions() bool {
	_, prefers := answer.Preference(c.Request.Header.Values("Prefer"), remote.PreferVersions)
	return prefers && !c.Service.Options.NoExtended
}

// tellOffers tells a caller with good credentials what this service has that others have not.
func (c *Call) tellOffers(h http.Header) {
	if !c.Service.Options.NoExtended {
		words := []string{remote.OfferVersions, remote.OfferMoves, remote.OfferDeleted + "=" + strconv.FormatInt(c.Tenant.Keep.ForDays(), 10), remote.OfferEvents,
			remote.OfferRaw, remote.OfferPages, remote.OfferPageCounts, remote.OfferPage, remote.OfferCopies, remote.OfferRate + "=" + strconv.Itoa(c.Service.Options.RPM)}
		if c.Account.Role == remote.Reader {
			words = append(words, remote.OfferReads)
		}
		h.Set(remote.OffersHeader, strings.Join(words, ", "))
	}
}

// TellRoom tells such a caller, before the answer begins, what is left of the quota of media files; nil for no quota.
func (c *Call) TellRoom(left *int64) {
	h := c.reply.w.Header()
	if offers, _, _ := strings.Cut(h.Get(remote.OffersHeader), ", "+remote.OfferRoom+"="); offers != "" && left != nil {
		h.Set(remote.OffersHeader, fmt.Sprintf("%s, %s=%d", offers, remote.OfferRoom, *left))
	}
}
