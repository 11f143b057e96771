package reader

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"paperfs/remote/service/address"
	"paperfs/remote/service/admission"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/pdf"
	"paperfs/remote/service/store"
)

// Reader serves browsers.
type Reader struct {
	Store    store.Store
	Contents store.Contents
	Images   *address.Images
	Base     address.Base
	Now      func() time.Time
	// Data is the directory for pages that do not fit into memory.
	Data string
	// Room holds pages when the disk is full.
	Room *answer.Room
	// SpoolFrom is the number of bytes of a page beyond which it goes to Data.
	SpoolFrom int
	Listing   ListingBounds
	Paper     PaperBounds
	Orders    *OrderLimits
	Hits      *Hits
	// Searches limits concurrent searches in papers. Searches of operations have another gate.
	Searches *admission.Gate
	Pages    *Pages
	Tiles    *Pages
	// Larger draws a tile of the page of a stored picture. Drawing limits how many are drawn at once.
	Larger  func(ctx context.Context, from store.Rendition, stored store.Image, tile pdf.Tile) (jpeg []byte, err error)
	Drawing *admission.Gate
}

// statusGone appears only in the log, for a request whose client disconnected before the
// answer. It is not an error of the service. Proxies use the same number.
const statusGone = 499

// notServed answers a failed request for a part of a paper. If the client may not see the part, the
// answer is that there is none, and no cache keeps it.
func notServed(w http.ResponseWriter, r *http.Request, err error, log *slog.Logger, what, line string) {
	if store.IsNotFound(err) || errors.Is(err, errToken) {
		w.Header().Set("Cache-Control", "no-store")
		answer.NotFound(w)
		return
	}
	failed(w, r, err, log, what, line)
}

// failed answers a request that failed, and logs what with the error.
func failed(w http.ResponseWriter, r *http.Request, err error, log *slog.Logger, what, line string) {
	if r.Context().Err() != nil {
		w.WriteHeader(statusGone)
		return
	}
	log.Error(what, "error", err)
	if errors.Is(err, store.ErrAway) || errors.Is(err, store.ErrSlow) {
		w.Header().Set("Retry-After", answer.RetryAfter)
		answer.Error(w, http.StatusServiceUnavailable, line)
		return
	}
	answer.Error(w, http.StatusInternalServerError, line)
}
