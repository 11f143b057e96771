package service

import (
	"bufio"
	"io"
	"net/http"
	"strings"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/fault"
	"paperfs/remote/service/help"
	"paperfs/remote/service/store"
)

// serveGroup answers the bare Group.asmx: help pages, the WSDL, and
// SOAP (contract, 1.9).
func (s *Service) serveGroup(l *requestLog, r *http.Request, group string) {
	ops := s.offered(group)
	query := r.URL.Query()
	switch {
	case len(ops) == 0:
		fault.NotFound(l)
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
			fault.NotFound(l)
			return
		}
		s.serveHelp(l, "text/html; charset=utf-8", func(w io.Writer) error { return help.Operation(w, s.documented(op), string(s.base)+op.Path()) })
	case r.URL.RawQuery == "":
		s.serveHelp(l, "text/html; charset=utf-8", func(w io.Writer) error { return help.Group(w, group, ops) })
	default:
		fault.NotFound(l)
	}
}

// openAPIPath is where the description of all operations is, below /V2/.
const openAPIPath = "openapi.json"

func (s *Service) serveOpenAPI(l *requestLog, r *http.Request) {
	if !fault.MayRead(l, r, true) {
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

// offered returns the operations of a group, "" for all, as this service offers them.
func (s *Service) offered(group string) (ops []*remote.Operation) {
	for _, op := range remote.Operations {
		if (group == "" || op.Group == group) && s.offers(op) {
			ops = append(ops, s.documented(op))
		}
	}
	return ops
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
		fault.Error(l, http.StatusInternalServerError, "The service cannot make this page at the moment.")
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
