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
	"paperfs/remote/service/call"
	"paperfs/remote/service/help"
	"paperfs/remote/service/manage"
	"paperfs/remote/service/operation"
	"paperfs/remote/service/store"
)

// MaxAddress is the most bytes of a request's path and query together. An HTTP server in
// front of the service should accept at most twice as much, with headers.
const MaxAddress = 64 << 10

// ServeHTTP answers one request.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r = address.Trusted(s.calls.Options.TrustedProxies).Through(r)
	l := s.calls.StartLog(w, r)
	defer l.End()
	r = l.Request
	l.Header().Set("X-Content-Type-Options", "nosniff")
	if s.calls.Options.LoopbackOnly && !loopbackHost(r.Host) {
		// Against DNS rebinding: a foreign web page must not reach the service under its own host name.
		http.Error(l, "This service answers to localhost, 127.0.0.1 and [::1] only.", http.StatusMisdirectedRequest)
		return
	}
	if len(r.RequestURI) > MaxAddress {
		if !s.calls.MayAsk(l, r) {
			return
		}
		answer.Error(l, http.StatusRequestURITooLong, fmt.Sprintf("The address is longer than %d bytes: send a form by POST.", MaxAddress))
		return
	}
	if r.RequestURI == "*" {
		s.serveOptions(l, r)
		return
	}
	path, ours := s.calls.Base.Cut(r.URL.Path)
	if page := s.page(); ours && page.Has(r, path) || page.Only(r) {
		page.Serve(l, r, path)
	} else if rest, ok := rules.CutPrefix(path, "/V2/"); ok {
		s.serveAPI(l, r, rest)
	} else if !s.calls.MayAsk(l, r) {
		return
	} else if !ours {
		answer.NotFound(l)
	} else {
		s.calls.Reader.Serve(l, r, path, s.calls.Log.With("request", l.Number))
	}
}

// serveOptions answers OPTIONS *, a check whether the server is alive.
func (s *Service) serveOptions(l *call.RequestLog, r *http.Request) {
	if !s.calls.MayAsk(l, r) {
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
func (s *Service) serveAPI(l *call.RequestLog, r *http.Request, path string) {
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
	if !calls && !s.calls.MayAsk(l, r) { // a call may have good credentials and is counted later
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
		answer.Error(l, http.StatusInternalServerError, fmt.Sprintf("%s Web Service method name is not valid.", call.NameText(call.PathText(name))))
	default:
		c := s.call(op, l)
		c.JSON = json
		s.calls.ServeCall(l, c)
	}
}

// page returns the publisher's page.
func (s *Service) page() *manage.Page {
	return &manage.Page{Service: s.calls, Call: func(l *call.RequestLog, group, name string) *call.Call {
		op := s.operation(group, name)
		if op == nil {
			return nil
		}
		return s.call(op, l)
	}}
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
func (s *Service) serveGroup(l *call.RequestLog, r *http.Request, group string) {
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
			return help.WSDL(w, help.Description{Group: group, Operations: ops, Namespace: s.calls.Options.XMLNamespace(), Address: at, RawTree: s.calls.Options.RawTree})
		})
	case query.Has("op"):
		op := s.operation(group, query.Get("op"))
		if op == nil {
			answer.NotFound(l)
			return
		}
		s.serveHelp(l, "text/html; charset=utf-8", func(w io.Writer) error {
			return help.Operation(w, s.calls.Documented(op), string(s.calls.Base)+op.Path())
		})
	case r.URL.RawQuery == "":
		s.serveHelp(l, "text/html; charset=utf-8", func(w io.Writer) error { return help.Group(w, group, ops) })
	default:
		answer.NotFound(l)
	}
}

// openAPIPath is where the description of all operations is, below /V2/.
const openAPIPath = "openapi.json"

func (s *Service) serveOpenAPI(l *call.RequestLog, r *http.Request) {
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
func (s *Service) serveHelp(l *call.RequestLog, kind string, write func(io.Writer) error) {
	out := answer.NewSpool(l, s.calls.Options.Data, s.calls.SpoolFrom)
	out.Room = s.calls.Reader.Room
	defer out.Discard()
	l.Header().Set("Content-Type", kind)
	l.Header().Set("Cache-Control", "private, max-age=0")
	w := bufio.NewWriterSize(out, 8<<10)
	err := write(w)
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		s.calls.Log.Error("help page not written", "request", l.Number, "error", err)
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
	err = s.calls.Store.Read(r.Context(), func(tx store.Reader) error {
		tenant, err := tx.TenantByHost(address.Host(r.Host))
		at = s.calls.Base.Public(r, tenant, path)
		return err
	})
	return at, err
}

// call begins a call of an operation.
func (s *Service) call(op *remote.Operation, l *call.RequestLog) *call.Call {
	return s.calls.Begin(l, op, operation.Handlers[op], operation.Standing[op])
}

// findGroup returns the table's spelling of the group in a segment Group.asmx.
func findGroup(segment string) (string, bool) {
	for _, op := range remote.Operations {
		if strings.EqualFold(segment, op.Group+".asmx") {
			return op.Group, true
		}
	}
	return "", false
}

// operation finds an operation that this service offers; nil for none. It compares the
// name exactly, as the platform does.
func (s *Service) operation(group, name string) *remote.Operation {
	for _, op := range remote.Operations {
		if op.Group == group && op.Name == name && s.offers(op) {
			return op
		}
	}
	return nil
}

// offers reports whether the service answers the operation.
func (s *Service) offers(op *remote.Operation) bool {
	return op.Served && operation.Handlers[op] != nil && !(op.Extended && s.calls.Options.NoExtended)
}

// offered returns the operations of a group, "" for all, as this service offers them.
func (s *Service) offered(group string) (ops []*remote.Operation) {
	for _, op := range remote.Operations {
		if (group == "" || op.Group == group) && s.offers(op) {
			ops = append(ops, s.calls.Documented(op))
		}
	}
	return ops
}
