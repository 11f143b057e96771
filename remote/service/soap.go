package service

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"paperfs/remote"
	"paperfs/remote/service/answer"
)

const soapCharsets = "UTF-8 or UTF-16"

// soapVersion returns the version of SOAP that a request's media type stands for, and the
// parameters of the media type; "" for none.
func soapVersion(r *http.Request) (remote.SOAPVersion, map[string]string) {
	kind, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err != nil:
		return "", nil
	case kind == "text/xml":
		return remote.SOAP11, parameters
	case kind == "application/soap+xml":
		return remote.SOAP12, parameters
	}
	return "", nil
}

// serveSOAP answers a POST to the bare Group.asmx.
func (s *Service) serveSOAP(l *requestLog, r *http.Request, group string) {
	version, parameters := soapVersion(r)
	if version == "" {
		if !s.mayAsk(l, r) {
			return
		}
		answer.Error(l, http.StatusUnsupportedMediaType,
			fmt.Sprintf("Send SOAP (text/xml or application/soap+xml) to %s.asmx, or a form to %s.asmx/OPERATION.", group, group))
		return
	}
	action := parameters["action"]
	if version == remote.SOAP11 {
		action = strings.Trim(strings.TrimSpace(r.Header.Get("SOAPAction")), `"`)
	}
	c, err := s.readSOAP(l, r, group, version, action)
	if err != nil {
		if tooOften := s.tooOften(r); tooOften != nil {
			err = tooOften
		}
		s.soapFailure(l, version, err)
		return
	}
	s.serveCall(l, c)
}

// readSOAP reads a request and finds the operation that it calls: by its action, or by
// the element in its body if it has no action.
func (s *Service) readSOAP(l *requestLog, r *http.Request, group string, version remote.SOAPVersion, action string) (*call, error) {
	if err := checkCoding(r); err != nil {
		return nil, err
	}
	for _, charset := range charsets(r.Header) {
		if charset != "" && charset != "utf8" && charset != "utf-8" && charset != "utf-16" && charset != "utf-16le" && charset != "utf-16be" {
			return nil, wrongCharset(charset, soapCharsets)
		}
	}
	limit := s.soapLimit()
	if r.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	body := http.MaxBytesReader(nil, r.Body, limit)
	request, err := remote.ReadSOAP(body, version, r.Header.Get("Content-Type"))
	if wrong := (*remote.CharsetError)(nil); errors.As(err, &wrong) {
		return nil, wrongCharset(wrong.Charset, soapCharsets)
	}
	if err != nil {
		return nil, bodyFailure(err)
	}
	name := request.Operation
	if action != "" {
		var ok bool
		if name, ok = strings.CutPrefix(action, s.options.namespace()); !ok || name != request.Operation {
			return nil, &remote.SOAPError{Code: "Client", Words: fmt.Sprintf("The action %q does not match <%s>.", nameText(action), nameText(request.Operation))}
		}
	}
	op := s.operation(group, name)
	if op == nil {
		return nil, &remote.SOAPError{Code: "Client", Words: fmt.Sprintf("%s has no operation %s.", group, nameText(name))}
	}
	return &call{actor: s.actor(), service: s, op: op, request: r, number: l.number, soap: &soapCall{request, version}}, nil
}

// soapLimit returns the most bytes of a SOAP request. It is the same for all operations,
// because only the request itself names its operation.
func (s *Service) soapLimit() int64 {
	if limit := s.options.BodyLimit; limit > 0 {
		return limit
	}
	return max(defaultBodyLimit, s.pdfLimit()/2*3)
}

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
func (s *Service) soapFailure(l *requestLog, version remote.SOAPVersion, err error) {
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
