package reader

import (
	"errors"
	"log/slog"
	"net/http"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// serveHit counts page views and clicks, which only the paper's own page can report. It counts neither
// previews nor pages and links that the paper does not have.
func (s *Reader) serveHit(w http.ResponseWriter, r *http.Request, path string, log *slog.Logger) {
	w.Header().Set("Cache-Control", "no-store")
	err := s.takeHit(w, r, path)
	var refused *refusal
	var slow *answer.Failure
	switch {
	case err == nil:
		w.WriteHeader(http.StatusNoContent)
	case store.IsNotFound(err), errors.Is(err, errToken):
		answer.NotFound(w)
	case errors.As(err, &refused):
		if refused.status == http.StatusMethodNotAllowed {
			w.Header().Set("Allow", "POST")
		}
		refused.retry(w.Header())
		answer.Error(w, refused.status, "Not counted.")
	case errors.As(err, &slow):
		slow.Answer(w)
	default:
		failed(w, r, err, log, "page views not counted", "Nothing can be counted now.")
	}
}

func (s *Reader) takeHit(w http.ResponseWriter, r *http.Request, path string) error {
	post := r.Method == http.MethodPost
	var seen hitForm
	if post { // a refusal of the form reveals nothing about the paper
		form, err := readForm(w, r, hitBytes)
		if err != nil {
			return err
		}
		var ok bool
		if seen, ok = parseHit(form); !ok {
			return refuse(http.StatusUnprocessableEntity)
		}
		if wait := s.Hits.limits.take(address.Network(r), len(seen.hits), s.Now()); wait > 0 {
			return &refusal{status: http.StatusTooManyRequests, wait: wait}
		}
	}
	var tenant store.Tenant
	var node store.Node
	err := s.Store.Read(r.Context(), func(tx store.Reader) (err error) {
		if tenant, node, err = address.NodeAt(tx, r.Host, path); err != nil {
			return err
		}
		if node.Kind != remote.PaperNode {
			return store.ErrNotFound
		}
		_, preview, err := s.mayOpen(tx, r, node)
		switch {
		case err != nil:
			return err
		case !post:
			return refuse(http.StatusMethodNotAllowed)
		case preview, !sameSite(r, tenant):
			return refuse(http.StatusForbidden)
		}
		err = s.nameTargets(tx, r, tenant, node, seen.hits)
		total, failed := tx.PageCount(node.ID)
		seen = seen.among(total)
		return errors.Join(err, failed)
	})
	if err != nil || len(seen.hits) == 0 {
		return err
	}
	if !s.Hits.count(tenant.ID, node.ID, store.DayOf(s.Now()), seen) {
		return &refusal{status: http.StatusServiceUnavailable, wait: hitsEvery}
	}
	return nil
}
