package remote

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// plainTransport passes each request to the handler with raw content.
type plainTransport struct{ handler http.Handler }

func (t plainTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	in := r.Clone(r.Context())
	if body, ok := r.Body.(PlainBody); ok {
		in.ContentLength = body.Plain()
	}
	body, err := io.ReadAll(r.Body)
	r.Body.Close()
	if err != nil {
		return nil, err
	}
	if int64(len(body)) != in.ContentLength {
		return nil, errors.New("the length differs from the announced one")
	}
	in.Body = io.NopCloser(strings.NewReader(string(body)))
	w := httptest.NewRecorder()
	w.Header().Set("Content-Type", "text/xml")
	t.handler.ServeHTTP(w, in)
	return w.Result(), nil
}

// TestPlainBody checks that the body is the form followed by the content, whatever the sizes
// of reads.
func TestPlainBody(t *testing.T) {
	t.Parallel()
	data := strings.Repeat("a&=%+\x00\xff", 30000)
	m, err := measure(ctx, content(data))
	require.NoError(t, err)
	b := &bulk{Content: content(data), measured: m}
	rapid.Check(t, func(t *rapid.T) {
		body, err := b.body([]byte("name=x&f="))
		require.NoError(t, err)
		require.EqualValues(t, len("name=x&f=")+len(data), body.asItIs())
		var got []byte
		for err == nil {
			var n int
			p := make([]byte, rapid.IntRange(1, 1<<20).Draw(t, "read"))
			n, err = body.Read(p)
			got = append(got, p[:n]...)
		}
		require.Equal(t, io.EOF, err)
		require.Equal(t, "name=x&f="+data, string(got))
		require.NoError(t, body.Close())
		_, err = body.Read(make([]byte, 1))
		require.Error(t, err)
	})
	body, err := b.body([]byte("name=x&f="))
	require.NoError(t, err)
	body.asItIs()
	require.NoError(t, iotest.TestReader(body, []byte("name=x&f="+data)))
}

// TestPlainContentThatChanges checks that content that has changed since it was measured is
// not sent to its end.
func TestPlainContentThatChanges(t *testing.T) {
	t.Parallel()
	before := strings.Repeat("x", 3*blockSize)
	for name, after := range map[string]string{
		"a byte":   before[:100] + "y" + before[101:],
		"the last": before[1:] + "y",
		"shorter":  before[1:],
		"longer":   before + "x",
	} {
		m, err := measure(ctx, content(before))
		require.NoError(t, err)
		body, err := (&bulk{Content: content(after), measured: m}).body(nil)
		require.NoError(t, err)
		length := body.asItIs()
		got, err := io.ReadAll(io.LimitReader(body, length+1))
		require.ErrorIs(t, err, ErrChanged, name)
		require.Less(t, len(got), len(before), name)
		require.NoError(t, body.Close())
	}
}

// finished refuses the end of a request with err.
type finished struct {
	content
	err error
}

func (f finished) Finish() error { return f.err }

func TestPlainUploadAsksBeforeItsEnd(t *testing.T) {
	t.Parallel()
	data := content(strings.Repeat("0123456789", blockSize))
	var got string
	o := Options{BaseURL: "http://127.0.0.1:1", Username: testUser, Password: testPassword, Transport: plainTransport{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = string(body)
		_, _ = io.WriteString(w, result(Success, "<fileid>12</fileid>"))
	})}}
	c, err := New(o)
	require.NoError(t, err)
	defer c.Close()
	up, err := c.UploadFile(ctx, 0, "a", data)
	require.NoError(t, err)
	require.EqualValues(t, 12, up.FileID)
	require.True(t, strings.HasSuffix(got, "&base64File="+string(data)))
	require.EqualValues(t, len(got), c.Stats().BytesSent)

	got = ""
	no := errors.New("not now")
	_, err = c.UploadFile(ctx, 0, "a", finished{data, no})
	require.ErrorIs(t, err, no)
	fails(t, err, Local)
	require.Empty(t, got)

	_, err = c.UploadFile(ctx, 0, "a", content("small"))
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(got, "&base64File=c21hbGw="), "content in memory is always sent as base64")
}

// TestAnAnswerThatComesFirst checks that what was answered counts as sent, although the goroutine that
// wrote the request has not told so yet.
func TestAnAnswerThatComesFirst(t *testing.T) {
	t.Parallel()
	var told []int64
	var got string
	c, err := New(Options{BaseURL: "http://127.0.0.1:1", Username: testUser, Password: testPassword, Transport: plainTransport{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = string(body)
		_, _ = io.WriteString(w, result(Success, "<fileid>12</fileid>"))
	})}})
	require.NoError(t, err)
	defer c.Close()
	_, err = c.UploadFile(ctx, 0, "a", watched{"0123456789", &told})
	require.NoError(t, err)
	require.Equal(t, []int64{0, 10}, told)
	require.EqualValues(t, len(got), c.Stats().BytesSent)
}
