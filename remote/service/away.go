package service

import (
	"errors"
	"net/http"

	"paperfs/remote/service/fault"
	"paperfs/remote/service/store"
)

// away returns the answer to a call that failed because an engine could not be reached, or
// because other requests left no room for too long; nil for other failures. The answer has no
// envelope: clients recognize it as a temporary failure. It is 503 only if the call changed
// nothing, so that a balancer may send the call to another node.
func (c *call) away(err error) *fault.Failure {
	if !errors.Is(err, store.ErrAway) && !errors.Is(err, store.ErrSlow) {
		return nil
	}
	f := &fault.Failure{Status: http.StatusServiceUnavailable, Line: "The service cannot do this at the moment; try again later.", Header: http.Header{"Retry-After": {fault.RetryAfter}}}
	if c.changed {
		f.Status, f.Line = http.StatusGatewayTimeout, "The service could not complete this, and may have changed something; look before you try again."
	}
	return f
}

// answerAway answers with a failure outside the envelope, as SOAP to a SOAP call.
func (c *call) answerAway(l *requestLog, failure *fault.Failure, err error) {
	c.service.log.Error("operation failed", "request", c.number, "operation", c.op.Name, "error", err)
	l.code = ""
	l.Header().Del("ETag")
	if c.soap != nil {
		c.service.soapFailure(l, c.soap.version, failure)
		return
	}
	failure.Answer(l)
}
