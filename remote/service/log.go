package service

import (
	"cmp"
	"errors"
	"io"
	"log/slog"
	"math"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/admission"
	"paperfs/remote/service/answer"
)

// requestLog is the ResponseWriter of one request and writes its line in the log. The
// line has the path (pathText), but never the query or a parameter: these hold
// credentials and preview tokens.
type requestLog struct {
	http.ResponseWriter
	service   *parts
	request   *http.Request
	number    requestNumber
	start     time.Time
	status    int // 0 = no answer yet
	bytes     int64
	op        string
	tenant    string
	account   string
	code      remote.Code
	body      *admission.Body // nil for none
	deadlines *admission.Deadlines
}

func (s *parts) startLog(w http.ResponseWriter, r *http.Request) *requestLog {
	number := requestNumber{s.node(), s.requests.Add(1)}
	s.metrics.underWay.Inc()
	w.Header().Set("Request-Id", number.String())
	// In a copy, whose reads are a stranger's.
	r = r.WithContext(inLine(r.Context(), strangerLine))
	l := &requestLog{ResponseWriter: w, service: s, request: r, number: number, start: time.Now(), deadlines: admission.NewDeadlines(w)}
	if r.ContentLength < 0 {
		l.deadlines.Open()
	}
	s.underWay.Add(l.deadlines)
	if r.Body != nil && r.Body != http.NoBody {
		l.body = &admission.Body{ReadCloser: r.Body, Bounds: s.bodies, Stall: s.stall, Deadlines: l.deadlines}
		r.Body = l.body // the HTTP server checks its own after the answer
	}
	// Lift the limit that the previous answer on this connection had.
	l.deadlines.Write(time.Time{})
	return l
}

// call notes whose call it is. The log has only names of accounts: somebody may have
// typed a key in place of a name.
func (l *requestLog) call(c *call) {
	l.op, l.tenant, l.account = c.op.Name, c.tenant.Name, c.account.Name
}

func (l *requestLog) WriteHeader(status int) {
	if l.status == 0 {
		l.body.Linger(l.request)
		l.status = status
	}
	l.limit()
	l.ResponseWriter.WriteHeader(status)
}

// Write sends the answer in parts. The stall limit holds for each part.
func (l *requestLog) Write(p []byte) (n int, err error) {
	if l.status == 0 {
		l.WriteHeader(http.StatusOK)
	}
	for first := true; err == nil && (first || n < len(p)); first = false {
		l.limit()
		var written int
		written, err = l.ResponseWriter.Write(p[n:min(len(p), n+answer.WritePart)])
		n += written
	}
	l.bytes += int64(n)
	return n, err
}

// ReadFrom is Write of what r gives. The HTTP server sends a file without copies of its bytes.
func (l *requestLog) ReadFrom(r io.Reader) (n int64, err error) {
	if l.status == 0 {
		l.WriteHeader(http.StatusOK)
	}
	from, ok := r.(*io.LimitedReader)
	if !ok {
		from = &io.LimitedReader{R: r, N: math.MaxInt64}
	}
	for part := int64(answer.WritePart); err == nil && from.N > 0 && part == answer.WritePart; {
		l.limit()
		part, err = io.Copy(l.ResponseWriter, &io.LimitedReader{R: from.R, N: min(from.N, answer.WritePart)})
		from.N -= part
		n += part
	}
	l.bytes += n
	return n, err
}

// limit sets the time that the client has to read the next part.
func (l *requestLog) limit() { l.deadlines.Write(time.Now().Add(l.service.stall)) }

// Unwrap is for http.ResponseController.
func (l *requestLog) Unwrap() http.ResponseWriter { return l.ResponseWriter }

// end writes the line. It is deferred: a panic ends the request, not the service, and
// only the log has its details.
func (l *requestLog) end() {
	defer l.service.underWay.Remove(l.deadlines)
	if p := recover(); p != nil {
		if err, ok := p.(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
			l.service.log.Error("panic", "request", l.number, "panic", p, "stack", string(debug.Stack()))
		}
		if l.status == 0 {
			answer.Error(l, http.StatusInternalServerError, "The service failed.")
		} else {
			defer panic(http.ErrAbortHandler) // no client may mistake half an answer for a whole one
		}
	}
	l.status = cmp.Or(l.status, http.StatusOK) // the HTTP server answers that where nothing was written, as to HEAD
	attrs := []any{"request", l.number, "from", l.request.RemoteAddr, "method", l.request.Method, "path", pathText(l.request.URL.Path),
		"status", l.status, "bytes", l.bytes, "took", time.Since(l.start).Round(time.Microsecond)}
	if l.op != "" {
		attrs = append(attrs, "operation", l.op, "tenant", l.tenant, "account", l.account, "code", l.code)
	}
	l.service.log.Info("request", attrs...)
	l.service.metrics.underWay.Dec()
	l.count()
}

// count counts a request that was answered.
func (l *requestLog) count() {
	m := l.service.metrics
	code := string(l.code)
	if l.status != 200 || code == "" {
		code = strconv.Itoa(l.status)
	}
	m.requests.WithLabelValues(l.op, code).Inc()
	m.seconds.WithLabelValues(l.op).Observe(time.Since(l.start).Seconds())
	m.sent.Add(float64(l.bytes))
	if l.body != nil {
		m.received.Add(float64(l.body.Bytes()))
	}
}

// requestNumber is the number of a request, with the node's name if there are several nodes.
type requestNumber struct {
	node string // "" = there is only one
	n    uint64
}

func (r requestNumber) String() string {
	number := strconv.FormatUint(r.n, 10)
	if r.node == "" {
		return number
	}
	return r.node + "-" + number
}

// LogValue implements slog.LogValuer.
func (r requestNumber) LogValue() slog.Value {
	if r.node == "" {
		return slog.Uint64Value(r.n)
	}
	return slog.StringValue(r.String())
}
