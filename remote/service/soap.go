package service

import (
	"fmt"
	"mime"
	"net/http"
	"strings"

	"paperfs/remote"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/call"
)

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
func (s *Service) serveSOAP(l *call.RequestLog, r *http.Request, group string) {
	version, parameters := soapVersion(r)
	if version == "" {
		if !s.calls.MayAsk(l, r) {
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
	request, err := s.calls.ReadSOAP(r, version, action)
	var op *remote.Operation
	if err == nil {
		if op = s.operation(group, request.Operation); op == nil {
			err = &remote.SOAPError{Code: "Client", Words: fmt.Sprintf("%s has no operation %s.", group, call.NameText(request.Operation))}
		}
	}
	if err != nil {
		if tooOften := s.calls.TooOften(r); tooOften != nil {
			err = tooOften
		}
		s.calls.SOAPFailure(l, version, err)
		return
	}
	c := s.call(op, l)
	c.SOAP = &call.SOAPCall{SOAPCall: request, Version: version}
	s.calls.ServeCall(l, c)
}
