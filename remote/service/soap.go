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
	c := s.call(op, l)
	c.soap = &soapCall{request, version}
	return c, nil
}
