package remote

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// takesRaw makes a client know that the service takes content raw.
func takesRaw(c *Client) *Client {
	c.noteOffers(new(request), http.Header{OffersHeader: {OfferRaw}})
	return c
}

// offersRaw answers as a service does that takes content raw.
func offersRaw(body string) handler {
	return func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set(OffersHeader, OfferRaw)
		io.WriteString(w, body)
	}
}

// rawOf returns the fields of a body of multipart/form-data, and its content.
func rawOf(t *testing.T, r received) (fields [][2]string, content []byte) {
	t.Helper()
	_, parameters := testrun.Must2(mime.ParseMediaType(r.kind))(t)
	for parts := multipart.NewReader(strings.NewReader(r.body), parameters["boundary"]); ; {
		p, err := parts.NextRawPart()
		if err == io.EOF {
			return fields, content
		}
		require.NoError(t, err)
		value := testrun.Must(io.ReadAll(p))(t)
		if p.FileName() != "" {
			require.Equal(t, UploadFile.Bulk, p.FormName())
			content = value
			continue
		}
		fields = append(fields, [2]string{p.FormName(), string(value)})
	}
}

// TestContentGoesRawWhereThatIsOffered checks the first upload, which is a form, and the next ones.
func TestContentGoesRawWhereThatIsOffered(t *testing.T) {
	t.Parallel()
	const name = "a +b&ü\"\r\n--.jpg"
	s, c := serve(t, offersRaw(result(Success, "<fileid>12</fileid>")))
	boundaries := map[string]bool{}
	for i, size := range []int{3, 0, 1, blockSize - 1, blockSize, 3 << 20} {
		data := noise(size)
		require.EqualValues(t, size, testrun.Must(c.UploadFile(ctx, 3, name, data))(t).Size)
		got := s.requests()[i]
		if i == 0 {
			require.Equal(t, "application/x-www-form-urlencoded", got.kind, "the service has not said what it offers")
			continue
		}
		fields, content := rawOf(t, got)
		require.Equal(t, [][2]string{{"username", testUser}, {"password", testPassword}, {"parentID", "3"}, {"name", name}}, fields)
		require.True(t, bytes.Equal([]byte(data), content))
		require.EqualValues(t, len(got.body), got.length)
		boundaries[got.kind] = true
	}
	require.Len(t, boundaries, 5, "each has a boundary of its own")
	require.False(t, c.Stats().Forms)
}

// TestRawContentThatIsRefused checks that the same call then succeeds as a form, as do the next, and that status tells it: where
// an older node answers, or a proxy that takes no multipart/form-data.
func TestRawContentThatIsRefused(t *testing.T) {
	t.Parallel()
	for i, code := range []int{500, 500, 400, 403, 406, 415, 501} {
		size := []int{3, 2 * blockSize}[i%2]
		s, c := serve(t, func(_ int, w http.ResponseWriter, r *http.Request) {
			if kind := r.Header.Get("Content-Type"); kind != "application/x-www-form-urlencoded" {
				if code == http.StatusInternalServerError {
					w.Header().Set(OffersHeader, OfferRaw)
				}
				w.WriteHeader(code)
				fmt.Fprintf(w, "Request format is invalid: %s.\r\n", kind)
				return
			}
			w.Header().Set(OffersHeader, OfferRaw)
			io.WriteString(w, result(Success, "<fileid>12</fileid>"))
		})
		takesRaw(c)
		_, err := c.ProcessPDF(Once(ctx), 7, "", noise(size)) // whose outcome is looked for before it is repeated
		require.NoError(t, err, code)
		testrun.Must(c.UploadFile(ctx, 3, "a", noise(size)))(t)
		require.Len(t, s.requests(), 3)
		require.EqualValues(t, 2, c.Stats().Operations[ProcessPDF.Name].Requests)
		require.True(t, c.Stats().Forms)
		require.Zero(t, c.Stats().Operations[ProcessPDF.Name].Failures)
		require.Equal(t, []byte(noise(size)), contentOf(t, s.requests()[2]))
	}
}

// TestARawUploadThatTheServiceRefuses checks that a refusal by the service itself is final.
func TestARawUploadThatTheServiceRefuses(t *testing.T) {
	t.Parallel()
	s, c := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set(OffersHeader, OfferRaw)
		w.WriteHeader(http.StatusBadRequest)
	})
	takesRaw(c)
	_, err := c.UploadFile(ctx, 3, "a", noise(3))
	fails(t, err, Status)
	require.Len(t, s.requests(), 1)
	require.False(t, c.Stats().Forms)
}

// TestARawUploadIsRepeatedRaw checks that a failure of another kind changes nothing.
func TestARawUploadIsRepeatedRaw(t *testing.T) {
	t.Parallel()
	s, c := serve(t, then(lost, status(http.StatusBadGateway, "restarting"), offersRaw(result(Success, "<fileid>1</fileid>"))))
	takesRaw(c)
	data := noise(2 * blockSize)
	testrun.Must(c.UploadFile(ctx, 0, "a", data))(t)
	for _, r := range s.requests() {
		_, content := rawOf(t, r)
		require.True(t, bytes.Equal([]byte(data), content))
	}
	require.Len(t, s.requests(), 3)
}

// TestGrowingContentIsNoForm checks that content whose length nobody knows yet is given up where it cannot go raw.
func TestGrowingContentIsNoForm(t *testing.T) {
	s, c := serve(t, answers(result(Success, "<fileid>7</fileid>")))
	w := newWritten()
	w.write(make([]byte, 2*blockSize))
	_, err := c.UploadFile(t.Context(), 3, "a", w)
	fails(t, err, Local)
	assert.True(t, w.GiveUp(), "it was given up")
	require.Empty(t, s.requests())
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestAnAnswerThatComesFirst checks that what was answered counts as sent, although the goroutine that
// wrote the request has not told so yet.
func TestAnAnswerThatComesFirst(t *testing.T) {
	t.Parallel()
	var told []int64
	var got string
	c, err := New(Options{BaseURL: "http://127.0.0.1:1", Username: testUser, Password: testPassword, Transport: transport(func(r *http.Request) (*http.Response, error) {
		body, _ := io.ReadAll(r.Body)
		got = string(body)
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(result(Success, "<fileid>12</fileid>")))}, nil
	})})
	require.NoError(t, err)
	defer c.Close()
	testrun.Must(c.UploadFile(ctx, 0, "a", watched{"0123456789", &told}))(t)
	require.Equal(t, []int64{0, 10}, told)
	require.EqualValues(t, len(got), c.Stats().BytesSent)
}
