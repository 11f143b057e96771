package remote

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/remote/testrun"
)

// content is content to upload.
type content string

func (c content) Size() int64 { return int64(len(c)) }
func (c content) Open() (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(string(c))), nil
}

// changing returns different bytes each time it is opened; the last reading repeats.
type changing struct {
	readings []string
	opened   atomic.Int32
}

func (c *changing) again()      { c.opened.Store(0) }
func (c *changing) Size() int64 { return int64(len(c.readings[0])) }
func (c *changing) Open() (io.ReadCloser, error) {
	n := int(c.opened.Add(1)) - 1
	return content(c.readings[min(n, len(c.readings)-1)]).Open()
}

func TestUploadSendsTheContent(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, 2, 3, 1000, blockSize - 1, blockSize, blockSize + 1, 2*blockSize + 2, 3 << 20} {
		data := []byte(strings.Repeat("\xff\xfe\xfd?>+/", size/7+1))[:size]
		for i := range data {
			data[i] ^= byte(i * 7 >> 3)
		}
		s, c := serve(t, answers(result(Success, "<fileid>12</fileid>")), func(o *Options) { o.EscapeAll = size%2 == 0 })
		up := testrun.Must(c.UploadFile(ctx, 3, "a +b&ü.jpg", content(data)))(t)
		digits := base64.StdEncoding.EncodeToString(data)
		require.Contains(t, s.requests()[0].body, "&base64File="+escaped(size%2 == 0, digits))
		sum := sha256.Sum256(data)
		require.Equal(t, Upload{FileID: 12, Size: int64(size), SHA256: hex.EncodeToString(sum[:])}, up)
		got := testrun.Must(url.ParseQuery(s.requests()[0].body))(t)
		require.Equal(t, url.Values{"username": {testUser}, "password": {testPassword}, "parentID": {"3"}, "name": {"a +b&ü.jpg"},
			"base64File": {digits}}, got)
		require.EqualValues(t, len(s.requests()[0].body), c.Stats().BytesSent)
	}
}

// escaped returns base64 as a client escapes it in a form.
func escaped(all bool, base64 string) string {
	if all {
		return url.QueryEscape(base64)
	}
	return strings.ReplaceAll(base64, "+", "%2B")
}

// TestBulkBody checks that the body does not depend on the sizes of reads, and has the counted length.
func TestBulkBody(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOfN(rapid.Byte(), 0, 2000).Draw(t, "data")
		if rapid.Bool().Draw(t, "many specials") {
			data = bytes.Repeat([]byte{0xfb, 0xef, 0xbe, 0xff}, len(data))
		}
		m, err := measure(ctx, content(data))
		require.NoError(t, err)
		b := &bulk{Content: content(data), measured: m}
		want, e, tail := string(data)+"--B", escaping(nil), []byte("--B")
		if rapid.Bool().Draw(t, "form") {
			all := rapid.Bool().Draw(t, "all escaped")
			if e, tail = plusAlone, nil; all {
				e = allThree
			}
			want = escaped(all, base64.StdEncoding.EncodeToString(data))
			require.NoError(t, b.countForm(ctx, e))
			require.EqualValues(t, len(want), b.inForm)
		}
		want = "f=" + want
		body, err := b.body([]byte("f="), tail, e, b.inForm)
		require.NoError(t, err)
		var got []byte
		for err == nil {
			var n int
			p := make([]byte, rapid.IntRange(1, 700).Draw(t, "read"))
			n, err = body.Read(p)
			got = append(got, p[:n]...)
		}
		require.Equal(t, io.EOF, err)
		require.Equal(t, want, string(got))
		require.NoError(t, body.Close())
		_, err = body.Read(make([]byte, 1))
		require.Error(t, err)
	})
	m := testrun.Must(measure(ctx, content("abc")))(t)
	for want, e := range map[string]escaping{"f=YWJj": plusAlone, "f=abc": nil} {
		body := testrun.Must((&bulk{Content: content("abc"), measured: m}).body([]byte("f="), nil, e, 4))(t)
		require.NoError(t, iotest.TestReader(body, []byte(want)))
	}
}

// TestChangingContentIsNotPublished checks that content that has changed since it was measured
// never reaches the service completely.
func TestChangingContentIsNotPublished(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 3*blockSize)
	for name, second := range map[string]string{
		"other bytes": strings.Repeat("x", 3*blockSize-1) + "y", "shorter": long[1:], "longer": long + "x", "empty": "",
	} {
		t.Run(name, func(t *testing.T) {
			isNotPublished(t, &changing{readings: []string{long, second}})
		})
	}
}

func isNotPublished(t *testing.T, c Content) {
	for _, raw := range []bool{false, true} {
		if again, ok := c.(interface{ again() }); ok {
			again.again()
		}
		isNotPublishedAs(t, c, raw)
	}
}

func isNotPublishedAs(t *testing.T, c Content, raw bool) {
	var whole atomic.Bool
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err == nil {
			whole.Store(true)
		}
		io.WriteString(w, result(Success, "<fileid>1</fileid>"))
	})
	client := (&standIn{Server: s}).client(t)
	if raw {
		takesRaw(client)
	}
	_, err := client.UploadFile(ctx, 0, "a", c)
	require.False(t, fails(t, err, Local).Ambiguous)
	require.ErrorIs(t, err, ErrChanged)
	s.Close()
	require.False(t, whole.Load())
}

// unfinished is content whose last bytes must not be sent.
type unfinished struct{ content }

func (unfinished) Finish() error { return errBadDisk }

// TestUnfinishedUpload checks that a request whose Finisher fails has no effect, however short
// it is.
func TestUnfinishedUpload(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, 2 * blockSize, -1, -2 * blockSize} {
		raw, size := size < 0, max(size, -size)
		var whole atomic.Bool
		s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
			if _, err := io.Copy(io.Discard, r.Body); err == nil {
				whole.Store(true)
			}
			io.WriteString(w, result(Success, "<fileid>1</fileid>"))
		})
		c := (&standIn{Server: s}).client(t)
		if raw {
			takesRaw(c)
		}
		_, err := c.UploadFile(ctx, 0, "a", unfinished{content(strings.Repeat("x", size))})
		require.False(t, fails(t, err, Local).Ambiguous)
		require.ErrorIs(t, err, errBadDisk)
		s.Close()
		require.False(t, whole.Load())
	}
}

// TestRepeatedUploadOfChangedContent checks that a retry reads the content again, and that
// small content is read only once.
func TestRepeatedUploadOfChangedContent(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 2*blockSize)
	_, c := serve(t, then(lost, answers(result(Success, "<fileid>1</fileid>"))))
	_, err := takesRaw(c).UploadFile(ctx, 0, "a", &changing{readings: []string{long, long, long[1:] + "y"}})
	require.True(t, fails(t, err, Local).Ambiguous, "the first attempt may have taken effect")

	s, c := serve(t, then(lost, answers(result(Success, "<fileid>1</fileid>"))))
	up := testrun.Must(c.UploadFile(ctx, 0, "a", &changing{readings: []string{"one", "two"}}))(t)
	require.Equal(t, s.requests()[0].body, s.requests()[1].body)
	require.EqualValues(t, 3, up.Size)
}

type unreadable struct{ after string }

func (unreadable) Size() int64 { return 10 }
func (u unreadable) Open() (io.ReadCloser, error) {
	if u.after == "" {
		return nil, errBadDisk
	}
	return io.NopCloser(io.MultiReader(strings.NewReader(u.after), iotest.ErrReader(errBadDisk))), nil
}

var errBadDisk = errors.New("bad disk")

func TestUnreadableContent(t *testing.T) {
	t.Parallel()
	s, c := serve(t, answers(result(Success, "<fileid>1</fileid>")))
	for _, after := range []string{"", "abc"} {
		_, err := c.UploadFile(ctx, 0, "a", unreadable{after})
		fails(t, err, Local)
		require.ErrorIs(t, err, errBadDisk)
	}
	_, err := c.UploadFile(ctx, 0, "a", wrongSize{"abc"})
	require.Contains(t, fails(t, err, Local).Reason(), "3 bytes long instead of 10")
	require.Empty(t, s.requests())
}

type wrongSize struct{ content }

func (wrongSize) Size() int64 { return 10 }

// TestEarlyRefusalOfALargeBody checks that the client understands a refusal that comes before
// a large body is sent.
func TestEarlyRefusalOfALargeBody(t *testing.T) {
	t.Parallel()
	s := &standIn{}
	s.Server = newServer(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
	})
	c := s.client(t)
	_, err := c.UploadFile(ctx, 0, "a", content(strings.Repeat("x", 8<<20)))
	require.False(t, fails(t, err, TooLarge).Ambiguous)
}

func TestFormEscapesAsTheStandardDoes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "value")
		require.Equal(t, "a=1&b="+url.QueryEscape(value), string(appendPair([]byte("a=1"), "b", value)))
	})
}

// TestAnswerBeforeTheBodyIsRead checks that the client reads an answer that comes before the
// service has read the body.
func TestAnswerBeforeTheBodyIsRead(t *testing.T) {
	t.Parallel()
	s := &standIn{}
	s.Server = newServer(t, func(w http.ResponseWriter, r *http.Request) {
		io.CopyN(io.Discard, r.Body, 1000)
		io.WriteString(w, result(LoginSecurityViolation, ""))
	})
	c := s.client(t)
	big := content(strings.Repeat("x", 10<<20))
	for range 10 {
		_, err := c.UploadFile(ctx, 0, "a", big)
		require.Equal(t, LoginSecurityViolation, fails(t, err, Refused).Code)
	}
}

func TestUploadThatNobodyReadsStalls(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := &standIn{}
	s.Server = newServer(t, func(w http.ResponseWriter, r *http.Request) {
		io.CopyN(io.Discard, r.Body, 1000)
		<-release
	})
	defer close(release)
	c := s.client(t, func(o *Options) { o.StallLimit = shortStall })
	_, err := c.UploadFile(ctx, 0, "a", content(strings.Repeat("x", 10<<20)))
	e := fails(t, err, Stalled)
	require.Contains(t, e.Reason(), "no byte moved")
	require.True(t, e.Ambiguous)
}

// TestMeasure checks that a Measure has the same result as measuring the content, whatever the
// sizes of the writes.
func TestMeasure(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "data")
		var m Measure
		for rest := data; len(rest) > 0; {
			n := rapid.IntRange(0, len(rest)).Draw(t, "piece")
			m.Write(rest[:n])
			rest = rest[n:]
			require.EqualValues(t, len(data)-len(rest), m.result().size)
		}
		want, err := measure(ctx, content(data))
		require.NoError(t, err)
		want.whole = nil
		require.Equal(t, want, m.result())
	})
}

type followed struct {
	changing
	measure *Measure
}

func (f *followed) Measure() *Measure { return f.measure }

func TestMeasuredContentIsReadOnce(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 3*blockSize)
	var m Measure
	m.Write([]byte(long))
	s, c := serve(t, answers(result(Success, "<fileid>1</fileid>")))
	f := &followed{changing: changing{readings: []string{long, "changed"}}, measure: &m}
	up := testrun.Must(takesRaw(c).UploadFile(ctx, 0, "a", f))(t)
	sum := sha256.Sum256([]byte(long))
	require.Equal(t, Upload{FileID: 1, Size: int64(len(long)), SHA256: hex.EncodeToString(sum[:])}, up)
	require.EqualValues(t, 1, f.opened.Load())
	require.Contains(t, s.requests()[0].body, long)
}

// TestAMeasureThatWasKeptIsReliedOn checks that an upload in a later process relies on a saved
// Measure as on the original.
func TestAMeasureThatWasKeptIsReliedOn(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 3*blockSize)
	var m Measure
	m.Write([]byte(long))
	kept := MeasureOf(m.Kept(), int64(len(long)))
	require.Equal(t, m.result(), kept.result())
	_, c := serve(t, answers(result(Success, "<fileid>1</fileid>")))
	f := &followed{changing: changing{readings: []string{long, "changed"}}, measure: kept}
	up := testrun.Must(takesRaw(c).UploadFile(ctx, 0, "a", f))(t)
	require.Equal(t, m.SHA256(), up.SHA256)
	require.EqualValues(t, 1, f.opened.Load())
	isNotPublished(t, &followed{changing: changing{readings: []string{"y" + long[1:]}}, measure: kept})

	require.Equal(t, m.result(), MeasureOf(m.Kept()+"-12-34", int64(len(long))).result(), "as earlier versions kept it")
	require.Nil(t, MeasureOf("", 1))
	require.Nil(t, MeasureOf("00-00-1-1", 1))
	require.Empty(t, new(Measure).Kept(), "content of one block is always read")
}

// TestAMeasureOfOtherContentPublishesNothing checks that an upload with the Measure of other
// content of the same length publishes nothing.
func TestAMeasureOfOtherContentPublishesNothing(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 3*blockSize)
	for _, other := range []string{strings.Repeat("\xff", len(long)), "y" + long[1:], long[:len(long)-1] + "y"} {
		for measured, reading := range map[string]string{long: other, other: long} {
			var m Measure
			m.Write([]byte(measured))
			isNotPublished(t, &followed{changing: changing{readings: []string{reading}}, measure: &m})
		}
	}
}

// TestSmallContentThatIsNotWhatWasWrittenIsNotPublished checks that small content, which is read
// before it is sent, is compared with its Measure too.
func TestSmallContentThatIsNotWhatWasWrittenIsNotPublished(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 10 << 10, blockSize - 1} {
		written := strings.Repeat("x", size)
		var m Measure
		m.Write([]byte(written))
		isNotPublished(t, &followed{changing: changing{readings: []string{written[1:] + "y"}}, measure: &m})
	}
}

// watched records the progress reports of its upload.
type watched struct {
	content
	told *[]int64
}

func (w watched) Sending(sent int64) { *w.told = append(*w.told, sent) }

// TestWatchedUpload checks that progress reports cover each attempt, but not earlier reads.
func TestWatchedUpload(t *testing.T) {
	t.Parallel()
	for _, size := range []int64{0, 5, blockSize + 7} {
		var told []int64
		_, c := serve(t, then(lost, answers(result(Success, "<fileid>1</fileid>"))))
		testrun.Must(c.UploadFile(ctx, 0, "a", watched{content(strings.Repeat("x", int(size))), &told}))(t)
		attempt := []int64{0, size}
		if size > blockSize {
			attempt = []int64{0, blockSize, size}
		}
		require.Equal(t, append(attempt, attempt...), told)
	}
}
