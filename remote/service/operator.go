package service

import (
	"context"
	"errors"
	"net/http"
	"time"

	"paperfs/remote/promtext"
)

// Operator returns the handler of an operator's requests: /healthz (200 while the
// process answers), /readyz (503 while the service should get no requests) and /metrics
// (Prometheus text). It asks for no credentials: serve it only where operators can reach
// it.
func (s *Service) Operator() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { plainLine(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if err := s.ready(r.Context()); err != nil {
			plainLine(w, http.StatusServiceUnavailable, err.Error())
			return
		}
		plainLine(w, http.StatusOK, "ok")
	})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		text, err := s.metrics.Text()
		if err != nil {
			plainLine(w, http.StatusInternalServerError, err.Error())
			return
		}
		w.Header().Set("Content-Type", promtext.ContentType)
		_, _ = w.Write(text) // the client may have disconnected
	})
	return mux
}

func plainLine(w http.ResponseWriter, status int, line string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(line + "\n")) // the client may have disconnected
}

const readyLimit = 5 * time.Second

// ready returns why the service should get no requests; nil if it should.
func (s *Service) ready(ctx context.Context) error {
	if s.draining.Load() {
		return errors.New("the service is shutting down")
	}
	ctx, cancel := context.WithTimeout(ctx, readyLimit)
	defer cancel()
	return s.store.Ready(ctx)
}
