package service

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/help"
	"paperfs/remote/service/store"
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
		answer.Error(l, http.StatusRequestURITooLong, fmt.Sprintf("The address is longer than %d bytes: send a form by POST.", MaxAddress))
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
		answer.NotFound(l)
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
		answer.Error(l, http.StatusMethodNotAllowed, "Only OPTIONS.")
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
			answer.Error(l, http.StatusMethodNotAllowed, "Only GET and POST.")
		} else {
			http.Error(l, "Only GET and POST.", http.StatusMethodNotAllowed)
		}
		return
	}
	switch {
	case path == openAPIPath:
		s.serveOpenAPI(l, r)
	case !ok:
		answer.NotFound(l)
	case !hasOperation:
		s.serveGroup(l, r, group)
	case op == nil:
		answer.Error(l, http.StatusInternalServerError, fmt.Sprintf("%s Web Service method name is not valid.", nameText(pathText(name))))
	default:
		c := s.call(op, l)
		c.json = json
		s.serveCall(l, c)
	}
}

func loopbackHost(host string) bool {
	switch address.Host(host) {
	case "localhost", "127.0.0.1", "::1":
		return true
	}
	return false
}

// serveGroup answers the bare Group.asmx: help pages, the WSDL, and
// SOAP (contract, 1.9).
func (s *Service) serveGroup(l *requestLog, r *http.Request, group string) {
	ops := s.offered(group)
	query := r.URL.Query()
	switch {
	case len(ops) == 0:
		answer.NotFound(l)
	case r.Method == http.MethodPost:
		s.serveSOAP(l, r, group)
	case strings.EqualFold(r.URL.RawQuery, "wsdl"):
		s.serveHelp(l, "text/xml; charset=utf-8", func(w io.Writer) error {
			at, err := s.publicAddress(r, "/V2/"+group+".asmx")
			if err != nil {
				return err
			}
			return help.WSDL(w, help.Description{Group: group, Operations: ops, Namespace: s.options.namespace(), Address: at, RawTree: s.options.RawTree})
		})
	case query.Has("op"):
		op := s.operation(group, query.Get("op"))
		if op == nil {
			answer.NotFound(l)
			return
		}
		s.serveHelp(l, "text/html; charset=utf-8", func(w io.Writer) error { return help.Operation(w, s.documented(op), string(s.base)+op.Path()) })
	case r.URL.RawQuery == "":
		s.serveHelp(l, "text/html; charset=utf-8", func(w io.Writer) error { return help.Group(w, group, ops) })
	default:
		answer.NotFound(l)
	}
}

// openAPIPath is where the description of all operations is, below /V2/.
const openAPIPath = "openapi.json"

func (s *Service) serveOpenAPI(l *requestLog, r *http.Request) {
	if !answer.MayRead(l, r, true) {
		return
	}
	s.serveHelp(l, answer.JSONType, func(w io.Writer) error {
		description, err := s.openAPI()
		if err != nil {
			return err
		}
		at, err := s.publicAddress(r, "")
		if err != nil {
			return err
		}
		text, err := help.WithServer(description, at)
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	})
}

// serveHelp sends a document. It breaks off a large one that fails halfway.
func (s *Service) serveHelp(l *requestLog, kind string, write func(io.Writer) error) {
	out := answer.NewSpool(l, s.options.Data, s.spoolFrom)
	out.Room = s.reader.Room
	defer out.Discard()
	l.Header().Set("Content-Type", kind)
	l.Header().Set("Cache-Control", "private, max-age=0")
	w := bufio.NewWriterSize(out, 8<<10)
	err := write(w)
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		s.log.Error("help page not written", "request", l.number, "error", err)
		if out.Begun() {
			panic(http.ErrAbortHandler)
		}
		answer.Error(l, http.StatusInternalServerError, "The service cannot make this page at the moment.")
		return
	}
	_ = out.Finish() // the client may have disconnected
}

// publicAddress returns the address of a path for who asks.
func (s *Service) publicAddress(r *http.Request, path string) (at string, err error) {
	err = s.store.Read(r.Context(), func(tx store.Reader) error {
		tenant, err := tx.TenantByHost(address.Host(r.Host))
		at = s.base.Public(r, tenant, path)
		return err
	})
	return at, err
}
