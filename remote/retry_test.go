package remote

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

var ctx = context.Background()

func status(code int, body string, headers ...string) handler {
	return func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		io.WriteString(w, body)
	}
}

// then calls the handlers in turn, and the last one from then on.
func then(handlers ...handler) handler {
	return func(n int, w http.ResponseWriter, r *http.Request) {
		handlers[min(n, len(handlers)-1)](n, w, r)
	}
}

func lost(int, http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// half sends the beginning of a document and breaks the connection.
func half(_ int, w http.ResponseWriter, _ *http.Request) {
	io.WriteString(w, `<result><code>SUCCESS</code><da`)
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

func TestReadsAreRepeated(t *testing.T) {
	t.Parallel()
	good := answers(result(Success, `<paper url="/a/" />`))
	for name, first := range map[string]handler{
		"reset": lost, "half": half,
		"truncated":   answers(`<result><code>SUCCESS</code>`),
		"empty":       answers(``),
		"429":         status(429, ""),
		"502":         status(502, "bad gateway"),
		"503":         status(503, ""),
		"504":         status(504, ""),
		"search away": answers(result(SearchTemporarilyUnavailable, "")),
	} {
		t.Run(name, func(t *testing.T) {
			s, c := serve(t, then(first, first, good))
			require.Equal(t, "/a/", testrun.Must(c.GetPaperUrlFromID(ctx, 5))(t))
			got := s.requests()
			require.Len(t, got, 3)
			require.Equal(t, got[0], got[1])
			require.Equal(t, got[0], got[2])
			require.Equal(t, OperationStats{Requests: 3}, c.Stats().Operations["GetPaperUrlFromID"])
		})
	}
}

func TestRepeatingEnds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer handler
		kind   Kind
	}{
		"reset": {lost, Unreachable}, "429": {status(429, ""), Throttled}, "503": {status(503, "away"), Status},
	} {
		t.Run(name, func(t *testing.T) {
			s, client := serve(t, c.answer)
			_, err := client.GetPaperUrlFromID(ctx, 5)
			require.False(t, fails(t, err, c.kind).Ambiguous)
			require.Len(t, s.requests(), len(s.pauses)+1)
			var sum time.Duration
			for _, p := range s.pauses {
				sum += p
			}
			require.LessOrEqual(t, sum, patience)
			require.Greater(t, sum, patience-longestPause)
		})
	}
}

func TestRequestsThatAreNotRepeated(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]handler{
		"500": status(500, "Missing parameter: url."), "404": status(404, ""), "413": status(413, ""), "301": status(301, "", "Location", "/x"),
		"code": answers(result(Failure, "")), "page": answers("<html></html>"), "long wait": status(429, "", "Retry-After", "30"),
	} {
		t.Run(name, func(t *testing.T) {
			s, c := serve(t, answer)
			_, err := c.GetPaperUrlFromID(ctx, 5)
			require.Error(t, err)
			require.Len(t, s.requests(), 1)
		})
	}
}

func TestTreeThatBreaksOffIsVisitedAnew(t *testing.T) {
	t.Parallel()
	whole := result(Success, treeData)
	begin := whole[:strings.LastIndex(whole, "<paper")]
	cut := func(_ int, w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, begin)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	s, c := serve(t, then(lost, answers(begin), cut, answers(whole)))
	visits := 0
	var nodes []Node
	require.NoError(t, c.GetAllPapers(ctx, 7001, func(n Node) error {
		if n.Parent == 0 {
			nodes = nil
		}
		visits++
		nodes = append(nodes, n)
		return nil
	}))
	require.Equal(t, treeNodes, nodes)
	require.Greater(t, visits, len(nodes), "no node was visited twice")
	require.Len(t, s.requests(), 4)

	s, c = serve(t, answers(begin))
	_, err := collect(c, 7001)
	fails(t, err, Broken)
	require.Len(t, s.requests(), len(s.pauses)+1)
}

func TestIdempotentChangesAreRepeated(t *testing.T) {
	t.Parallel()
	done := answers(result(Success, "<fileid>7</fileid>"))
	calls := map[string]func(*Client) error{
		"MovePaper":            func(c *Client) error { return c.MovePaper(ctx, 1, 2) },
		"ChangePaperUrl":       func(c *Client) error { return c.ChangePaperUrl(ctx, 1, "a") },
		"SetPublicationPeriod": func(c *Client) error { return c.SetPublicationPeriod(ctx, 1, Period{time.Now(), time.Now()}) },
		"SetSetting":           func(c *Client) error { return c.SetSetting(ctx, 1, "a", "b") },
		"SetCustomFieldValue":  func(c *Client) error { return c.SetCustomFieldValue(ctx, 1, "a", "b") },
		"UploadFile": func(c *Client) error {
			_, err := c.UploadFile(ctx, 0, "a", content(strings.Repeat("\xff\xef?+", 1000)))
			return err
		},
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			s, c := serve(t, then(lost, status(503, ""), half, done))
			require.NoError(t, call(c))
			got := s.requests()
			require.Len(t, got, 4)
			for _, r := range got[1:] {
				require.Equal(t, got[0], r)
			}

			_, c = serve(t, lost)
			require.True(t, fails(t, call(c), Unreachable).Ambiguous)
			_, c = serve(t, then(lost, answers(result(ReadOnly, ""))))
			require.True(t, fails(t, call(c), Refused).Ambiguous, "the first attempt may have taken effect")
			_, c = serve(t, answers("<html>"))
			require.True(t, fails(t, call(c), Broken).Ambiguous)
			_, c = serve(t, answers(result(ReadOnly, "")))
			require.False(t, fails(t, call(c), Refused).Ambiguous)
		})
	}
}

// byOperation has a handler for each operation; n counts the requests of that operation.
func byOperation(handlers map[*Operation]handler) handler {
	var mu sync.Mutex
	seen := map[string]int{} // guarded by mu
	return func(_ int, w http.ResponseWriter, r *http.Request) {
		for op, h := range handlers {
			if r.URL.Path == op.Path() {
				mu.Lock()
				n := seen[op.Name]
				seen[op.Name]++
				mu.Unlock()
				h(n, w, r)
				return
			}
		}
		status(500, "unexpected")(0, w, r)
	}
}

func operations(s *standIn) []string {
	var names []string
	for _, r := range s.requests() {
		names = append(names, r.path[strings.LastIndexByte(r.path, '/')+1:])
	}
	return names
}

func TestCreateLooksBeforeItRepeats(t *testing.T) {
	t.Parallel()
	parent := Node{ID: 1, URL: "/acme/"}
	made := answers(result(Success, `<paper id="9" />`))
	noURL := answers("<result><code>SUCCESS</code><message>free</message></result>")
	atURL := answers(result(Success, `<paper id="8" />`))
	node := func(kind, name string) handler {
		return answers(result(Success, "<"+kind+` id="8" name="`+name+`" url="/acme/x/" />`))
	}
	for name, c := range map[string]struct {
		handlers map[*Operation]handler
		id       int64
		asked    string
	}{
		"effect is there": {map[*Operation]handler{CreateCategory: lost, GetPaperIDFromUrl: atURL, GetAllPapers: node("category", "X y")},
			8, "CreateCategory GetPaperIDFromUrl GetAllPapers"},
		"effect is not there": {map[*Operation]handler{CreateCategory: then(lost, made), GetPaperIDFromUrl: noURL},
			9, "CreateCategory GetPaperIDFromUrl CreateCategory"},
		"success without an id": {map[*Operation]handler{CreateCategory: answers(result(Success, "")), GetPaperIDFromUrl: atURL, GetAllPapers: node("category", "X y")},
			8, "CreateCategory GetPaperIDFromUrl GetAllPapers"},
		"late effect": {map[*Operation]handler{CreateCategory: then(lost, answers(result(Failure, ""))), GetPaperIDFromUrl: then(noURL, atURL), GetAllPapers: node("category", "X y")},
			8, "CreateCategory GetPaperIDFromUrl CreateCategory GetPaperIDFromUrl GetAllPapers"},
	} {
		t.Run(name, func(t *testing.T) {
			s, client := serve(t, byOperation(c.handlers))
			id := testrun.Must(client.CreateCategory(ctx, parent, "X y", "x"))(t)
			require.Equal(t, c.id, id)
			require.Equal(t, c.asked, strings.Join(operations(s), " "))
		})
	}

	// Another node has the address: the refusal of the retry counts.
	_, c := serve(t, byOperation(map[*Operation]handler{CreatePaper: then(lost, answers(result(Failure, ""))),
		GetPaperIDFromUrl: atURL, GetAllPapers: node("paper", "Other")}))
	_, err := c.CreatePaper(ctx, parent, "X y", "x")
	require.False(t, fails(t, err, Refused).Ambiguous)
	// The client cannot look up the effect: the outcome stays unknown, and it does not retry.
	s, c := serve(t, lost)
	_, err = c.CreatePaper(ctx, Node{ID: 1}, "X", "x")
	require.True(t, fails(t, err, Unreachable).Ambiguous)
	require.Len(t, s.requests(), 1)
	// It does not retry a refused call either.
	s, c = serve(t, answers(result(Failure, "")))
	_, err = c.CreatePaper(ctx, parent, "X", "x")
	fails(t, err, Refused)
	require.Len(t, s.requests(), 1)
}

func TestCreateDirectoryLooksIntoTheTree(t *testing.T) {
	t.Parallel()
	tree := answers(result(Success, `<directory directoryid="3" name="a"><directory directoryid="4" name="Logos"/></directory><file fileid="1" name="x" size="0"/>`))
	made := answers(result(Success, "<directoryid>5</directoryid>"))
	for parent, want := range map[int64]int64{3: 4, 0: 5} {
		_, c := serve(t, byOperation(map[*Operation]handler{CreateDirectory: then(lost, made), GetTree: tree}))
		require.Equal(t, want, testrun.Must(c.CreateDirectory(ctx, parent, "logos"))(t))
	}
	_, c := serve(t, byOperation(map[*Operation]handler{CreateDirectory: lost, GetTree: status(404, "")}))
	_, err := c.CreateDirectory(ctx, 0, "logos")
	require.True(t, fails(t, err, Unreachable).Ambiguous)
}

func TestFieldDefinitionsAreLookedAt(t *testing.T) {
	t.Parallel()
	defined := answers(result(Success, `<fields><field name="Season" datatype="string" /></fields>`))
	none := answers(result(Success, `<fields />`))
	done := answers(result(Success, ""))
	count := func(s *standIn, op string) (n int) {
		for _, name := range operations(s) {
			if name == op {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		definitions   handler
		adds, deletes int
	}{{defined, 1, 2}, {none, 2, 1}} {
		s, client := serve(t, byOperation(map[*Operation]handler{
			AddCustomField: then(lost, done), DeleteCustomField: then(lost, done), GetCustomFieldDefinitions: c.definitions}))
		require.NoError(t, client.AddCustomField(ctx, "season", "string"))
		require.NoError(t, client.DeleteCustomField(ctx, "season"))
		require.Equal(t, c.adds, count(s, "AddCustomField"))
		require.Equal(t, c.deletes, count(s, "DeleteCustomField"))
	}
}

func TestRepeatedDeletion(t *testing.T) {
	t.Parallel()
	refused, gone := answers(result(Failure, "")), answers(result(PaperDoesNotExist, ""))
	there := answers(result(Success, `<paper url="/a/" />`))
	file := answers(result(Success, `<file fileid="5" name="x" size="0" /><directory directoryid="6" name="y"/>`))
	none := answers(result(Success, ``))

	_, c := serve(t, byOperation(map[*Operation]handler{DeletePaper: then(lost, gone), GetPaperUrlFromID: gone}))
	require.NoError(t, c.DeletePaper(ctx, 5))
	_, c = serve(t, byOperation(map[*Operation]handler{DeletePaper: then(lost, refused), GetPaperUrlFromID: there}))
	require.False(t, fails(t, c.DeletePaper(ctx, 5), Refused).Ambiguous)
	_, c = serve(t, byOperation(map[*Operation]handler{DeletePaper: gone}))
	require.Equal(t, PaperDoesNotExist, fails(t, c.DeletePaper(ctx, 5), Refused).Code)

	_, c = serve(t, byOperation(map[*Operation]handler{DeleteFile: then(lost, refused), DeleteDirectory: then(lost, refused), GetTree: none}))
	require.NoError(t, c.DeleteFile(ctx, 5))
	require.NoError(t, c.DeleteDirectory(ctx, 6))
	_, c = serve(t, byOperation(map[*Operation]handler{DeleteFile: then(lost, refused), DeleteDirectory: then(lost, refused), GetTree: file}))
	fails(t, c.DeleteFile(ctx, 5), Refused)
	fails(t, c.DeleteDirectory(ctx, 6), Refused)
	_, c = serve(t, byOperation(map[*Operation]handler{DeleteFile: then(lost, refused), GetTree: status(500, "")}))
	require.True(t, fails(t, c.DeleteFile(ctx, 5), Refused).Ambiguous)
}

func TestNotOfferedIsRemembered(t *testing.T) {
	t.Parallel()
	answer := status(500, "System.InvalidOperationException: GetTree Web Service method name is not valid.\r\n  at x")
	s, c := serve(t, answer)
	for range 3 {
		_, err := c.GetTree(ctx)
		fails(t, err, NotOffered)
	}
	require.Len(t, s.requests(), 1)
	_, err := c.GetPaperUrlFromID(ctx, 1)
	fails(t, err, Status)
	s, c = serve(t, lost, func(o *Options) { o.OnlyTwenty = true })
	_, err = c.GetTree(ctx)
	fails(t, err, NotOffered)
	require.Empty(t, s.requests())
}

func TestCancel(t *testing.T) {
	t.Parallel()
	entered, release := make(chan struct{}, 1), make(chan struct{})
	s, c := serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
		entered <- struct{}{}
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	defer close(release)
	cancelled, cancel := context.WithCancel(ctx)
	go func() { <-entered; cancel() }()
	e := fails(t, c.MovePaper(cancelled, 1, 2), Cancelled)
	require.True(t, e.Ambiguous)
	require.ErrorIs(t, e, context.Canceled)
	require.Len(t, s.requests(), 1)
	e = fails(t, c.MovePaper(cancelled, 1, 2), Cancelled)
	require.False(t, e.Ambiguous)
	require.Len(t, s.requests(), 1)
}

func TestReplyAndStallLimits(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	defer close(release)
	wait := func(r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}
	// The other limit is out of reach, even on a busy machine.
	_, c := serve(t, func(_ int, _ http.ResponseWriter, r *http.Request) { wait(r) },
		func(o *Options) { o.ReplyLimit, o.StallLimit = 50*time.Millisecond, time.Hour })
	e := fails(t, c.MovePaper(ctx, 1, 2), Stalled)
	require.True(t, e.Ambiguous)
	require.Contains(t, e.Reason(), "no reply within 50ms")

	_, c = serve(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "<result><code>SUCCESS</code>")
		w.(http.Flusher).Flush()
		wait(r)
	}, func(o *Options) { o.ReplyLimit, o.StallLimit = time.Hour, shortStall })
	e = fails(t, c.MovePaper(ctx, 1, 2), Stalled)
	require.Contains(t, e.Reason(), "no byte moved for 2s")
}

// TestARequestWithoutAnAnswerEnds checks that a read does not follow one whose answer has not come, and that a change
// does once: its connection may have died unseen.
func TestARequestWithoutAnAnswerEnds(t *testing.T) {
	t.Parallel()
	unanswered := outcome{err: &Error{Kind: Stalled}, again: true, unknown: true, stalled: true}
	for op, attempts := range map[*Operation]int{GetTree: 1, SetSetting: 2, CreatePaper: 1} {
		p := &plan{op: op, began: time.Now()}
		for last := false; !last; {
			p.began = p.began.Add(-DefaultReplyLimit)
			last, _ = p.judge(unanswered, 0)
		}
		require.Equal(t, attempts, p.attempts, op.Name)
	}
}

// shortStall is short enough to wait for in a test, and too long to be reached by a busy machine.
const shortStall = 2 * time.Second
