package service

import (
	"net/http"
	"strconv"
	"strings"

	"paperfs/remote"
	"paperfs/remote/service/answer"
)

// condition is the parameter ifVersion of a change. The zero condition always holds.
type condition struct {
	sent    bool
	none    bool // nothing may be there
	version int64
}

func (c *call) condition() (condition, error) {
	if c.op == remote.UploadFile && strings.TrimSpace(c.param("ifVersion")) == "none" {
		return condition{sent: true, none: true}, nil
	}
	return c.required("ifVersion")
}

// required is condition by another parameter.
func (c *call) required(name string) (condition, error) {
	version, err := c.version(name)
	if err != nil || version == nil {
		return condition{}, err
	}
	return condition{sent: true, version: *version}, nil
}

// version reads a parameter that may be empty or absent: nil.
func (c *call) version(name string) (*int64, error) {
	text := strings.TrimSpace(c.param(name))
	if text == "" {
		return nil, nil
	}
	version, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil, answer.Invalid("%s has to be a version from an answer of this service.", name)
	}
	return &version, nil
}

// judge refuses a change of a thing that has another version; id is 0 if there is none. Before a
// caller returns the refusal, it looks whether the result of the change stands already: a repeat
// after a lost answer succeeds.
func (o condition) judge(id, version int64) error {
	switch {
	case !o.sent, o.none && id == 0, !o.none && id != 0 && version == o.version:
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

// missing returns the refusal of a change of a thing that is not there: a conflict if the caller
// knows a version of it.
func (o condition) missing(err error) error {
	if o.sent {
		return o.judge(0, 0)
	}
	return err
}

// gone returns the outcome of a deletion of a thing that is not there: a caller that knows a version
// of it has what it wants.
func (o condition) gone(err error) error {
	if o.sent {
		return nil
	}
	return err
}

// tellsVersion reports whether the answer to a change has more than other services answer. Operations that these have
// tell it only to a client that sent ifVersion or prefers versions.
func (c *call) tellsVersion() bool {
	return c.op.Offer != "" || c.param("ifVersion") != "" || c.prefersVersions()
}

// tellVersion answers a change with the new version of what it changed; 0 for none, after a
// deletion.
func (c *call) tellVersion(w *answer.Writer, version int64) {
	switch {
	case !c.tellsVersion():
	case version == 0:
		w.Plain("version", "")
	default:
		w.Plain("version", strconv.FormatInt(version, 10))
	}
}

func (c *call) prefersVersions() bool {
	_, prefers := answer.Preference(c.request.Header.Values("Prefer"), remote.PreferVersions)
	return prefers && !c.service.options.NoExtended
}

// tellOffers tells a caller with good credentials what this service has that others have not.
func (c *call) tellOffers(h http.Header) {
	if !c.service.options.NoExtended {
		words := []string{remote.OfferVersions, remote.OfferMoves, remote.OfferDeleted + "=" + strconv.FormatInt(c.tenant.Keep.ForDays(), 10), remote.OfferEvents,
			remote.OfferRaw, remote.OfferPages, remote.OfferPageCounts, remote.OfferRate + "=" + strconv.Itoa(c.service.options.RPM)}
		if c.account.Role == remote.Reader {
			words = append(words, remote.OfferReads)
		}
		h.Set(remote.OffersHeader, strings.Join(words, ", "))
	}
}
