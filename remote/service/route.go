package service

import (
	"fmt"
	"net/http"
	"strings"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/fault"
)

// MaxAddress is the most bytes of a request's path and query together. An HTTP server in
// front of the service should accept at most twice as much, with headers.
const MaxAddress = 64 << 10

// ServeHTTP answers one request.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r = address.Trusted(s.options.TrustedProxies).Through(r)
	l := s.startLog(w, r)
	defer l.end()
	r = l.request
	l.Header().Set("X-Content-Type-Options", "nosniff")
	if s.options.LoopbackOnly && !loopbackHost(r.Host) {
		// Against DNS rebinding: a foreign web page must not reach the service under its own host name.
		http.Error(l, "This service answers to localhost, 127.0.0.1 and [::1] only.", http.StatusMisdirectedRequest)
		return
	}
	if len(r.RequestURI) > MaxAddress {
		if !s.mayAsk(l, r) {
			return
		}
		fault.Error(l, http.StatusRequestURITooLong, fmt.Sprintf("The address is longer than %d bytes: send a form by POST.", MaxAddress))
		return
	}
	if r.RequestURI == "*" {
		s.serveOptions(l, r)
		return
	}
	path, ours := s.base.Cut(r.URL.Path)
	if rest, ok := rules.CutPrefix(path, "/V2/"); ok {
		s.serveAPI(l, r, rest)
	} else if !s.mayAsk(l, r) {
		return
	} else if !ours {
		fault.NotFound(l)
	} else {
		s.reader.Serve(l, r, path, s.log.With("request", l.number))
	}
}

// serveOptions answers OPTIONS *, a check whether the server is alive.
func (s *Service) serveOptions(l *requestLog, r *http.Request) {
	if !s.mayAsk(l, r) {
		return
	}
	l.Header().Set("Allow", "GET, HEAD, POST, OPTIONS")
	if r.Method != http.MethodOptions {
		fault.Error(l, http.StatusMethodNotAllowed, "Only OPTIONS.")
		return
	}
	l.Header().Set("Content-Length", "0")
	l.WriteHeader(http.StatusOK)
}

// serveAPI answers Group.asmx and Group.asmx/Operation in the evaluation order
// of the contract's 1.5.
func (s *Service) serveAPI(l *requestLog, r *http.Request, path string) {
	segment, name, hasOperation := strings.Cut(path, "/")
	group, ok := findGroup(segment)
	var op *remote.Operation
	if ok && hasOperation {
		op = s.operation(group, name)
	}
	json := hasOperation && answer.PrefersJSON(r.Header.Values("Accept"))
	if hasOperation {
		l.Header().Set("Vary", "Accept")
	}
	if json {
		l.Header().Set("Content-Type", answer.JSONType) // of failures, too
	}
	get, post := r.Method == http.MethodGet, r.Method == http.MethodPost
	calls := op != nil && (get || post) || ok && !hasOperation && post
	if !calls && !s.mayAsk(l, r) { // a call may have good credentials and is counted later
		return
	}
	if !get && !post && (hasOperation || r.Method != http.MethodHead) {
		l.Header().Set("Allow", "GET, POST")
		if json {
			fault.Error(l, http.StatusMethodNotAllowed, "Only GET and POST.")
		} else {
			http.Error(l, "Only GET and POST.", http.StatusMethodNotAllowed)
		}
		return
	}
	switch {
	case path == openAPIPath:
		s.serveOpenAPI(l, r)
	case !ok:
		fault.NotFound(l)
	case !hasOperation:
		s.serveGroup(l, r, group)
	case op == nil:
		fault.Error(l, http.StatusInternalServerError, fmt.Sprintf("%s Web Service method name is not valid.", nameText(pathText(name))))
	default:
		s.serveCall(l, &call{actor: s.actor(), service: s, op: op, request: r, number: l.number, json: json})
	}
}

func loopbackHost(host string) bool {
	switch address.Host(host) {
	case "localhost", "127.0.0.1", "::1":
		return true
	}
	return false
}
