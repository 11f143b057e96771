package remote

import (
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// lacking is a service without the optional operations, and its clock. It answers these
// operations with 404, and every request while its proxy restarts.
type lacking struct {
	*standIn
	c          *Client
	has        atomic.Pointer[Operation] // the only optional operation it has
	restarting atomic.Bool
	passed     atomic.Int64 // time passed
}

func newLacking(t *testing.T) *lacking {
	l := &lacking{}
	began := time.Now()
	l.standIn, l.c = serve(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		for _, op := range []*Operation{l.has.Load(), GetPaperIDFromUrl} {
			if op != nil && r.URL.Path == op.Path() && !l.restarting.Load() {
				io.WriteString(w, result(Success, ""))
				return
			}
		}
		w.WriteHeader(http.StatusNotFound)
	}, func(o *Options) { o.Now = func() time.Time { return began.Add(time.Duration(l.passed.Load())) } })
	return l
}

func (l *lacking) pass(d time.Duration) { l.passed.Add(int64(d)) }

// asks returns the outcome of GetTree and how many requests it sends.
func (l *lacking) asks() (kind Kind, requests int) {
	before := len(l.requests())
	_, err := l.c.GetTree(ctx)
	if e, ok := err.(*Error); ok {
		kind = e.Kind
	}
	return kind, len(l.requests()) - before
}

func (l *lacking) ends(t *testing.T, kind Kind, requests int) {
	t.Helper()
	was, made := l.asks()
	require.Equal(t, []any{kind, requests}, []any{was, made})
}

// TestAbsentOperations checks that the client tries a missing operation again after a minute, then
// every hour, at the cost of one extra request.
func TestAbsentOperations(t *testing.T) {
	t.Parallel()
	l := newLacking(t)
	l.ends(t, NotOffered, 2)
	l.ends(t, NotOffered, 0)
	_, err := l.c.GetCustomFieldDefinitions(ctx)
	fails(t, err, NotOffered)
	require.Len(t, l.requests(), 3, "an earlier answer shows that the service works")
	l.pass(firstAbsence)
	l.ends(t, NotOffered, 2)
	l.pass(longestAbsence - time.Second)
	l.ends(t, NotOffered, 0)
	l.pass(time.Second)
	l.ends(t, NotOffered, 2)
	l.pass(-24 * time.Hour)
	l.ends(t, NotOffered, 2)
}

// TestARestartHidesNoOperation checks that a 404 from a restarting proxy does not mark an
// operation as missing.
func TestARestartHidesNoOperation(t *testing.T) {
	t.Parallel()
	l := newLacking(t)
	l.has.Store(GetTree)
	l.restarting.Store(true)
	for range 3 {
		l.ends(t, Status, 2)
	}
	l.restarting.Store(false)
	l.ends(t, 0, 1)
	l.restarting.Store(true)
	l.ends(t, Status, 1) // the service has answered before
	l.restarting.Store(false)
	l.ends(t, 0, 1)
}

// TestARestartThatEndsBetween checks a 404 that still comes from the proxy, while the service
// already answers the client's check. The client tries again after a minute.
func TestARestartThatEndsBetween(t *testing.T) {
	t.Parallel()
	l := newLacking(t)
	l.ends(t, NotOffered, 2)
	l.has.Store(GetTree)
	l.ends(t, NotOffered, 0)
	l.pass(firstAbsence)
	l.ends(t, 0, 1)
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer handler
		itself bool
	}{
		"an id":          {answers(result(Success, `<paper id="1" />`)), true},
		"no such thing":  {answers(result(Failure, "")), true},
		"a refusal":      {answers(result(LoginSecurityViolation, "")), false},
		"an odd code":    {answers(result("MAINTENANCE", "")), false},
		"a login page":   {answers("<html></html>"), false},
		"a redirect":     {status(302, "", "Location", "/login"), false},
		"nothing there":  {status(404, ""), false},
		"an early retry": {status(425, ""), false},
	} {
		_, client := serve(t, c.answer)
		require.Equal(t, c.itself, client.Answers(ctx) == nil, name)
	}
}

// TestForeignAnswers checks that the client distinguishes foreign answers from broken ones.
func TestForeignAnswers(t *testing.T) {
	t.Parallel()
	for body, foreign := range map[string]bool{
		"<html><body>Log in</body></html>": true, "Not here": true, "<other />": true, "": false,
		result(Success, "<a")[:60]: false,
	} {
		_, c := serve(t, answers(body))
		_, err := c.GetPaperUrlFromID(ctx, 1)
		require.Equal(t, foreign, fails(t, err, Broken).Foreign, body)
	}
}
