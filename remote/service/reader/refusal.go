package reader

import (
	"net/http"
	"time"

	"paperfs/remote/service/reader/view"
)

// refusal is the reason why an order or a report of page views is not taken.
type refusal struct {
	status int
	wait   time.Duration     // before another attempt; 0: do not try again
	prices map[string]string // changed prices by product; nil for none
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
