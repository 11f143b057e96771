package call

import (
	"errors"
	"fmt"
	"net/http"

	"paperfs/remote"
	"paperfs/remote/service/answer"
)

// SOAPCall is a call by SOAP. The service reads it as a form, and its answer is in a SOAP
// envelope (contract, 1.9).
type SOAPCall struct {
	*remote.SOAPCall
	Version remote.SOAPVersion
}

// contentType returns the Content-Type of an answer.
func contentType(version remote.SOAPVersion) string {
	if version == remote.SOAP12 {
		return "application/soap+xml; charset=utf-8"
	}
	return "text/xml; charset=utf-8"
}

// around returns the envelope before and after the result.
func (c *SOAPCall) around(namespace, operation string) (before, after string) {
	before = fmt.Sprintf(`%s<soap:Envelope xmlns:soap="%s"><soap:Body><%s xmlns="%s"><%s>`,
		declaration, c.Version, operation+"Response", answer.AppendAttr(nil, []byte(namespace)), operation+"Result")
	after = fmt.Sprintf("</%sResult></%sResponse></soap:Body></soap:Envelope>\n", operation, operation)
	return before, after
}

// SOAPFailure answers with a SOAP fault: a failure that has no result code.
func (s *Service) SOAPFailure(l *RequestLog, version remote.SOAPVersion, err error) {
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
		s.Log.Error("SOAP request failed", "request", l.Number, "error", err)
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
