package reader

import (
	"net/http"
	"strconv"
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

// retry tells the client when to try again.
func (r *refusal) retry(h http.Header) {
	if r.wait > 0 {
		h.Set("Retry-After", strconv.Itoa(int((r.wait+time.Second-1)/time.Second)))
	}
}

func notNow() *refusal {
	return &refusal{status: http.StatusServiceUnavailable, wait: time.Minute, say: func(w view.Words) string { return w.NotNow }}
}

func tooMany(wait time.Duration) *refusal {
	return &refusal{status: http.StatusTooManyRequests, wait: wait, say: func(w view.Words) string { return w.TooMany }}
}

func refuse(status int) *refusal { return &refusal{status: status} }
