package reader

import (
	"net/http"
	"time"

	"paperfs/remote/service/reader/view"
)

// refusal is why an order is not taken.
type refusal struct {
	status int
	wait   time.Duration     // before another attempt; 0 = none is worth it
	prices map[string]string // that are others than were seen; nil for none
	say    func(view.Words) string
}

func (r *refusal) Error() string { return http.StatusText(r.status) }

func notNow() *refusal {
	return &refusal{status: http.StatusServiceUnavailable, wait: time.Minute, say: func(w view.Words) string { return w.NotNow }}
}

func tooMany(wait time.Duration) *refusal {
	return &refusal{status: http.StatusTooManyRequests, wait: wait, say: func(w view.Words) string { return w.TooMany }}
}

func refuse(status int) *refusal { return &refusal{status: status} }
