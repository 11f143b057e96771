package service

import (
	"errors"
	"fmt"
	"net/http"

	"paperfs/remote"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// soapCall is a call by SOAP. The service reads it as a form, and its answer is in a SOAP
// envelope (contract, 1.9).
type soapCall struct {
	*remote.SOAPCall
	version remote.SOAPVersion
}

// contentType returns the Content-Type of an answer.
func contentType(version remote.SOAPVersion) string {
	if version == remote.SOAP12 {
		return "application/soap+xml; charset=utf-8"
	}
	return "text/xml; charset=utf-8"
}

// around returns the envelope before and after the result.
func (c *soapCall) around(namespace, operation string) (before, after string) {
	before = fmt.Sprintf(`%s<soap:Envelope xmlns:soap="%s"><soap:Body><%s xmlns="%s"><%s>`,
		declaration, c.version, operation+"Response", answer.AppendAttr(nil, []byte(namespace)), operation+"Result")
	after = fmt.Sprintf("</%sResult></%sResponse></soap:Body></soap:Envelope>\n", operation, operation)
	return before, after
}

// soapFailure answers with a SOAP fault: a failure that has no result code.
func (s *parts) soapFailure(l *requestLog, version remote.SOAPVersion, err error) {
	code, status, words := "Client", http.StatusInternalServerError, err.Error()
	var wrong *remote.SOAPError
	var failure *answer.Failure
	switch {
	case errors.As(err, &wrong):
		code = wrong.Code
	case errors.As(err, &failure):
		for name, values := range failure.Header {
			l.Header()[name] = values
		}
		status = failure.Status
	default:
		s.log.Error("SOAP request failed", "request", l.number, "error", err)
		code, words = "Server", "The service failed."
	}
	text := string(answer.AppendText(nil, []byte(answer.Carried(words))))
	form := `<faultcode>soap:%s</faultcode><faultstring>%s</faultstring>`
	if version == remote.SOAP12 {
		form = `<soap:Code><soap:Value>soap:%s</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang="en">%s</soap:Text></soap:Reason>`
		switch code {
		case "Client":
			code = "Sender"
		case "Server":
			code = "Receiver"
		}
	}
	l.Header().Set("Content-Type", contentType(version))
	l.Header().Set("Cache-Control", "private")
	l.WriteHeader(status)
	fmt.Fprintf(l, `%s<soap:Envelope xmlns:soap="%s"><soap:Body><soap:Fault>`+form+"</soap:Fault></soap:Body></soap:Envelope>\n", declaration, version, code, text)
}

const declaration = `<?xml version="1.0" encoding="utf-8"?>` + "\n"

// away returns the answer to a call that failed because an engine could not be reached, or
// because other requests left no room for too long; nil for other failures. The answer has no
// envelope: clients recognize it as a temporary failure. It is 503 only if the call changed
// nothing, so that a balancer may send the call to another node.
func (c *call) away(err error) *answer.Failure {
	if !errors.Is(err, store.ErrAway) && !errors.Is(err, store.ErrSlow) {
		return nil
	}
	f := &answer.Failure{Status: http.StatusServiceUnavailable, Line: "The service cannot do this at the moment; try again later.", Header: http.Header{"Retry-After": {answer.RetryAfter}}}
	if c.changed {
		f.Status, f.Line = http.StatusGatewayTimeout, "The service could not complete this, and may have changed something; look before you try again."
	}
	return f
}

// answerAway answers with a failure outside the envelope, as SOAP to a SOAP call.
func (c *call) answerAway(l *requestLog, failure *answer.Failure, err error) {
	c.service.log.Error("operation failed", "request", c.number, "operation", c.op.Name, "error", err)
	l.code = ""
	l.Header().Del("ETag")
	if c.soap != nil {
		c.service.soapFailure(l, c.soap.version, failure)
		return
	}
	failure.Answer(l)
}
