package reader

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/gate"
	"paperfs/remote/service/plain"
	"paperfs/remote/service/store"
)

// Reader serves what people read.
type Reader struct {
	Store    store.Store
	Contents store.Contents
	Images   *address.Images
	Base     address.Base
	Now      func() time.Time
	// Data is the directory for pages that do not fit into memory.
	Data string
	// Room is for pages that the disk has no room for.
	Room *answer.Room
	// SpoolFrom is how many bytes of a page are kept in memory.
	SpoolFrom int
	Listing   ListingBounds
	Paper     PaperBounds
	Orders    *OrderLimits
	Hits      *Hits
	// Searches has a place for each search in a paper, apart from those of calls.
	Searches *gate.Gate
	Pages    *Pages
}

// statusGone is for the log alone, of a request whose caller went away before
// there was an answer: nothing is wrong here, and nobody is told. Proxies call
// it so.
const statusGone = 499

// failed answers in place of what cannot be shown.
func failed(w http.ResponseWriter, r *http.Request, err error, log *slog.Logger, what, line string) {
	if r.Context().Err() != nil {
		w.WriteHeader(statusGone)
		return
	}
	log.Error(what, "error", err)
	if errors.Is(err, store.ErrAway) || errors.Is(err, store.ErrSlow) {
		w.Header().Set("Retry-After", plain.RetryAfter)
		plain.Error(w, http.StatusServiceUnavailable, line)
		return
	}
	plain.Error(w, http.StatusInternalServerError, line)
}
