package service

import (
	"errors"
	"net/http"

	"paperfs/remote/service/plain"
	"paperfs/remote/service/store"
)

// away is the answer of a request that could not be served because an engine could
// not be reached, or other requests left no room for long; nil for other failures. It
// is outside the envelope, where clients know it for a failure that passes.
func away(err error) *plain.Failure {
	if !errors.Is(err, store.ErrAway) && !errors.Is(err, store.ErrSlow) {
		return nil
	}
	return &plain.Failure{Status: http.StatusServiceUnavailable, Line: "The service cannot do this now.", Header: http.Header{"Retry-After": {plain.RetryAfter}}}
}

// answerAway answers with a failure outside the envelope, as the call came.
func (c *call) answerAway(l *requestLog, failure *plain.Failure, err error) {
	c.service.log.Error("operation failed", "request", c.number, "operation", c.op.Name, "error", err)
	l.code = ""
	l.Header().Del("ETag")
	if c.soap != nil {
		c.service.soapFailure(l, c.soap.version, failure)
		return
	}
	failure.Answer(l)
}
