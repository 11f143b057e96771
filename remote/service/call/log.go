package call

import (
	"cmp"
	"errors"
	"io"
	"log/slog"
	"math"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
	"unicode"

	"paperfs/remote"
	"paperfs/remote/service/admission"
	"paperfs/remote/service/answer"
)

// RequestLog is the ResponseWriter of one request and writes its line in the log. The
// line has the path (pathText), but never the query or a parameter: these hold
// credentials and preview tokens.
type RequestLog struct {
	http.ResponseWriter
	service   *Service
	Request   *http.Request
	Number    requestNumber
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

// StartLog begins the line of a request. Its answer goes through what it returns.
func (s *Service) StartLog(w http.ResponseWriter, r *http.Request) *RequestLog {
	number := requestNumber{s.Node(), s.requests.Add(1)}
	s.Metrics.underWay.Inc()
	w.Header().Set("Request-Id", number.String())
	// In a copy, whose reads are a stranger's.
	r = r.WithContext(inLine(r.Context(), strangerLine))
	l := &RequestLog{ResponseWriter: w, service: s, Request: r, Number: number, start: time.Now(), deadlines: admission.NewDeadlines(w)}
	if r.ContentLength < 0 {
		l.deadlines.Open()
	}
	s.UnderWay.Add(l.deadlines)
	if r.Body != nil && r.Body != http.NoBody {
		l.body = &admission.Body{ReadCloser: r.Body, Bounds: s.Bodies, Stall: s.Stall, Deadlines: l.deadlines}
		r.Body = l.body // the HTTP server checks its own after the answer
	}
	// Lift the limit that the previous answer on this connection had.
	l.deadlines.Write(time.Time{})
	return l
}

// call notes whose call it is. The log has only names of accounts: somebody may have
// typed a key in place of a name.
func (l *RequestLog) call(c *Call) {
	l.op, l.tenant, l.account = c.op.Name, c.Tenant.Name, c.Account.Name
}

func (l *RequestLog) WriteHeader(status int) {
	if l.status == 0 {
		l.body.Linger(l.Request)
		l.status = status
	}
	l.limit()
	l.ResponseWriter.WriteHeader(status)
}

// Write sends the answer in parts. The stall limit holds for each part.
func (l *RequestLog) Write(p []byte) (n int, err error) {
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
func (l *RequestLog) ReadFrom(r io.Reader) (n int64, err error) {
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
func (l *RequestLog) limit() { l.deadlines.Write(time.Now().Add(l.service.Stall)) }

// Unwrap is for http.ResponseController.
func (l *RequestLog) Unwrap() http.ResponseWriter { return l.ResponseWriter }

// End writes the line. It is deferred: a panic ends the request, not the service, and
// only the log has its details.
func (l *RequestLog) End() {
	defer l.service.UnderWay.Remove(l.deadlines)
	if p := recover(); p != nil {
		if err, ok := p.(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
			l.service.Log.Error("panic", "request", l.Number, "panic", p, "stack", string(debug.Stack()))
		}
		if l.status == 0 {
			answer.Error(l, http.StatusInternalServerError, "The service failed.")
		} else {
			defer panic(http.ErrAbortHandler) // no client may mistake half an answer for a whole one
		}
	}
	l.status = cmp.Or(l.status, http.StatusOK) // the HTTP server answers that where nothing was written, as to HEAD
	attrs := []any{"request", l.Number, "from", l.Request.RemoteAddr, "method", l.Request.Method, "path", PathText(l.Request.URL.Path),
		"status", l.status, "bytes", l.bytes, "took", time.Since(l.start).Round(time.Microsecond)}
	if l.op != "" {
		attrs = append(attrs, "operation", l.op, "tenant", l.tenant, "account", l.account, "code", l.code)
	}
	l.service.Log.Info("request", attrs...)
	l.service.Metrics.underWay.Dec()
	l.count()
}

// count counts a request that was answered.
func (l *RequestLog) count() {
	m := l.service.Metrics
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

// How many bytes of a path, and of a name in a request, the log and answers show.
const (
	pathTextMost = 500
	nameTextMost = 100
)

// PathText returns the part of a path that the log and answers show. If a client escapes
// the ? of its query, once or twice, or begins the query with another character, its key
// is in the path: the text ends before that character.
func PathText(path string) string {
	if i := strings.IndexFunc(path, func(r rune) bool { return strings.ContainsRune("?&;=%", r) || unicode.IsControl(r) }); i >= 0 {
		path = path[:i]
	}
	return cutText(path, pathTextMost)
}

// NameText returns the part of a name in a request that answers show.
func NameText(name string) string { return cutText(name, nameTextMost) }

func cutText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
