package service

import (
	"errors"
	"net/http"
	"runtime/debug"
	"time"

	"paperfs/remote"
)

// requestLog is the ResponseWriter of one request and writes its line in the
// log. The line has the path but never the query or a parameter: credentials
// and preview tokens are there.
type requestLog struct {
	http.ResponseWriter
	service *Service
	request *http.Request
	number  uint64
	start   time.Time
	status  int // 0 = nothing was answered yet
	bytes   int64
	op      string
	account int64
	code    remote.Code
}

func (s *Service) startLog(w http.ResponseWriter, r *http.Request) *requestLog {
	return &requestLog{ResponseWriter: w, service: s, request: r, number: s.requests.Add(1), start: time.Now()}
}

// call notes whose call it is.
func (l *requestLog) call(c *call) { l.op, l.account = c.op.Name, c.account.ID }

func (l *requestLog) WriteHeader(status int) {
	if l.status == 0 {
		l.status = status
	}
	l.ResponseWriter.WriteHeader(status)
}

func (l *requestLog) Write(p []byte) (int, error) {
	if l.status == 0 {
		l.status = http.StatusOK
	}
	n, err := l.ResponseWriter.Write(p)
	l.bytes += int64(n)
	return n, err
}

// Unwrap is for http.ResponseController.
func (l *requestLog) Unwrap() http.ResponseWriter { return l.ResponseWriter }

// end writes the line. It is deferred: a panic ends the request, not the
// service, and its details are for the log alone.
func (l *requestLog) end() {
	if p := recover(); p != nil {
		if err, ok := p.(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
			l.service.log.Error("panic", "request", l.number, "panic", p, "stack", string(debug.Stack()))
		}
		if l.status == 0 {
			plainError(l, http.StatusInternalServerError, "The service failed.")
		} else {
			defer panic(http.ErrAbortHandler) // no client may take half an answer for a whole one
		}
	}
	attrs := []any{"request", l.number, "from", l.request.RemoteAddr, "method", l.request.Method, "path", l.request.URL.Path,
		"status", l.status, "bytes", l.bytes, "took", time.Since(l.start).Round(time.Microsecond)}
	if l.op != "" {
		attrs = append(attrs, "operation", l.op, "account", l.account, "code", l.code)
	}
	l.service.log.Info("request", attrs...)
}
