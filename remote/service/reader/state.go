package reader

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
)

// retry is after how many seconds the browser asks again for pages that come soon.
const retry = 5

// failed answers the request for the page at path with the reason why there is none. It aborts the connection of
// a page that is partly sent, so that no client takes it as complete.
func (p *page) failed(err error, path string, log *slog.Logger) {
	if p.out.Begun() {
		if p.r.Context().Err() == nil {
			log.Error("page broken off", "error", err)
		}
		panic(http.ErrAbortHandler)
	}
	h := p.w.Header()
	for _, name := range []string{"Content-Encoding", "Vary", "ETag"} {
		h.Del(name)
	}
	switch {
	case p.r.Context().Err() != nil:
		p.w.WriteHeader(statusGone)
	case p.frame != nil && errors.Is(err, store.ErrSlow) && searches(p.r.URL.Query()):
		log.Warn("search not made", "error", err)
		w := p.frame.Words()
		h.Set("Retry-After", answer.RetryAfter)
		p.say(http.StatusServiceUnavailable, &view.State{Frame: *p.frame, Saying: view.Saying{Heading: w.Search, Text: w.Busy}, Link: "./" + p.query, Label: w.BackToPages})
	case store.IsNotFound(err) || errors.Is(err, errToken):
		p.missing(err, path)
	default:
		log.Error("page not served", "error", err)
		f := view.Frame{Language: p.r.Header.Get("Accept-Language"), Depth: strings.Count(path, "/") - 1} // the settings may be away, too
		f.Language, _, _ = strings.Cut(f.Language, ",")
		status := http.StatusInternalServerError
		if errors.Is(err, store.ErrAway) || errors.Is(err, store.ErrSlow) {
			status = http.StatusServiceUnavailable
			h.Set("Retry-After", answer.RetryAfter)
		}
		p.say(status, &view.State{Frame: f, Saying: f.Words().Away, Again: retry, Label: f.Words().Again})
	}
}

// missing says that there is nothing to see at path, in the publisher's language. Nothing that is
// not published yet determines the answer.
func (p *page) missing(err error, path string) {
	var f view.Frame
	if p.Store.Read(p.r.Context(), func(tx store.Reader) error {
		tenant, err := tx.TenantByHost(address.Host(p.r.Host))
		if err != nil {
			return err
		}
		root, err := tx.Node(tenant.ID, tenant.Root)
		if err == nil {
			f, _, err = p.Reader.frame(tx, p.r, tenant, root)
		}
		return err
	}) != nil {
		answer.NotFound(p.w)
		return
	}
	w, status := f.Words(), http.StatusNotFound
	s := &view.State{Frame: f, Saying: w.NotHere, Link: f.Canonical, Label: w.Others}
	s.Depth = strings.Count(path, "/") - 1
	switch {
	case errors.Is(err, errOver):
		s.Saying = w.Over
	case errors.Is(err, errToken):
		p.w.Header().Set("WWW-Authenticate", "SecurityToken")
		status, s.Saying = http.StatusUnauthorized, w.Closed
	}
	if s.Depth == 0 {
		s.Link, s.Label = "", ""
	}
	p.say(status, s)
}

// prepared says that the paper without pages is being processed, if it is.
func (p *page) prepared(o *opened, tx store.Reader) (bool, error) {
	processed, err := tx.BeingProcessed(o.node.ID)
	if !processed || err != nil {
		return false, err
	}
	jobs, err := tx.PendingJobs(o.tenant.ID)
	if err != nil {
		return false, err
	}
	s := &view.State{Frame: o.view.Frame, Saying: o.view.Words().Preparing, Again: retry}
	for _, j := range jobs {
		if j.Paper == o.node.ID {
			s.Percent = max(1, j.Progress)
		}
	}
	p.answered = true
	p.say(http.StatusOK, s)
	return true, nil
}

// say answers with a state.
func (p *page) say(status int, s *view.State) {
	var body strings.Builder
	if err := s.Write(&body); err != nil {
		panic(fmt.Errorf("a page in place of pages: %w", err)) // cannot fail: a buffer takes all
	}
	h := p.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(body.Len()))
	h.Set("Cache-Control", "no-store")
	pageHeaders(h, view.Policy{Style: s.Style()})
	p.w.WriteHeader(status)
	if p.r.Method != http.MethodHead {
		_, _ = io.WriteString(p.w, body.String()) // the client may have disconnected
	}
}
