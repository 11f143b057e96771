package form

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/remote/testrun"
)

// sink records the decoded bulk value; opening it again starts over.
type sink struct {
	bytes.Buffer
	opened int
	seen   []string // values of "username" each time it is opened
}

func (s *sink) open(seen *Form) (io.Writer, error) {
	s.Reset()
	s.opened++
	user, _ := seen.Get("username")
	s.seen = append(s.seen, user)
	return &s.Buffer, nil
}

func decode(t *testing.T, body string) (*Form, *sink) {
	t.Helper()
	s := &sink{}
	return testrun.Must(Decode(strings.NewReader(body), Options{Bulk: "base64File", Open: s.open}))(t), s
}

func TestGet(t *testing.T) {
	for _, c := range []struct {
		body, name, want string
		present          bool
	}{
		{"a=1&b=2", "b", "2", true},
		{"a=1&b=2", "c", "", false},
		{"a=", "a", "", true},
		{"a", "a", "", true},
		{"&&a=1&", "a", "1", true},
		{"A=1", "a", "1", true},
		{"A=1&a=2", "a", "2", true},
		{"a=2&A=1", "a", "2", true},
		{"a=2&A=1&a=3", "a", "2,3", true},
		{"A=1&aB=0&a=", "a", "", true},
		{"a=x&a=", "a", "x,", true},
		{"a=b+c%20d%2Be", "a", "b c d+e", true},
		{"a%42=1", "aB", "1", true},
		{"a=b=c", "a", "b=c", true},
		{"a=1;b=2", "a", "1;b=2", true},
		{"a=100%&b=%4", "a", "100%", true},
		{"a=100%&b=%4", "b", "%4", true},
		{"a=%zz%41", "a", "%zzA", true},
		{"a=%c3%bc", "a", "ü", true},
	} {
		f := testrun.Must(Decode(strings.NewReader(c.body), Options{}))(t)
		got, present := f.Get(c.name)
		require.Equal(t, c.want, got, c.body)
		require.Equal(t, c.present, present, c.body)
	}
}

func TestBulk(t *testing.T) {
	for _, c := range []struct{ value, want, fault string }{
		{"", "", ""},
		{"UmFrZQ%3D%3D", "Rake", ""},
		{"UmFrZQ==", "Rake", ""},
		{"Um\tFr%0d%0aZQ%09%3d%3D\n\r%09", "Rake", ""},
		{"UmFrZQ%3D%3D+", "", "a space, probably a +"},
		{"+UmFrZQ%3D%3D", "", "a space, probably a +"},
		{"UmFr UmFr", "", "a space, probably a +"},
		{"UmFr%20UmFr", "", "a space, probably a +"},
		{"Um++++Fr", "", "a space, probably a +"},
		{"%2B%2B%2F%2f", "\xfb\xef\xff", ""},
		{"++//", "", "a space, probably a +"},
		{"UmFrZQ", "", "padding is missing"},
		{"UmFrZQ%3D", "", "padding is missing"},
		{"UmFr-_%3D%3D", "", "outside the alphabet"},
		{"UmFr%00", "", "outside the alphabet"},
		{"UmFr%26", "", "outside the alphabet"},
		{"UmFr%25", "", "outside the alphabet"},
		{"UmFrZR==", "", "unused bits"},
		{"U===", "", "padding in the wrong place"},
		{"UmFrZQ%3D%3DUmFr", "", "after the padding"},
		{"UmFrZQ%3D%3D=", "", "padding in the wrong place"},
		{"UmFr%4", "", "malformed percent escape"},
		{"UmFr%zzzz", "", "malformed percent escape"},
		{"UmFr%4zzz", "", "malformed percent escape"},
	} {
		for _, body := range []string{
			"username=u&base64File=" + c.value + "&name=n%201",
			"name=n%201&base64File=" + c.value,
			"base64File=" + c.value + "&name=n+1&x",
			"%62ase64File=" + c.value + "&name=n+1&x",
		} {
			f, s := decode(t, body)
			present, err := f.Bulk()
			require.True(t, present)
			name, _ := f.Get("name")
			require.Equal(t, "n 1", name, "the rest of the body is decoded")
			if c.fault != "" {
				var fault *EncodingError
				require.ErrorAs(t, err, &fault, body)
				require.ErrorContains(t, err, c.fault, body)
				continue
			}
			require.NoError(t, err, body)
			require.Equal(t, c.want, s.String(), body)
			require.Equal(t, 1, s.opened)
		}
	}
}

// TestBulkSpellings checks that the exact spelling wins over others, and that repeated fields
// are joined by a comma and so are not base64.
func TestBulkSpellings(t *testing.T) {
	for _, c := range []struct {
		body, want string
		opened     int
		repeated   bool
	}{
		{"BASE64FILE=UmFr", "Rak", 1, false},
		{"BASE64FILE=UmFr&base64File=WW9r", "Yok", 2, false},
		{"BASE64FILE=!&base64File=WW9r", "Yok", 2, false},
		{"base64File=WW9r&BASE64FILE=UmFr", "Yok", 1, false},
		{"BASE64FILE=UmFr&BASE64file=UmFr", "", 1, true},
		{"BASE64FILE=UmFr&BASE64file=UmFr&base64File=WW9r", "Yok", 2, false},
		{"base64File=UmFr&base64File=UmFr", "", 1, true},
		{"base64File=&base64File=", "", 1, true},
	} {
		f, s := decode(t, c.body)
		_, err := f.Bulk()
		require.Equal(t, c.opened, s.opened, c.body)
		if c.repeated {
			require.ErrorContains(t, err, "more than once", c.body)
			continue
		}
		require.NoError(t, err, c.body)
		require.Equal(t, c.want, s.String(), c.body)
	}
	f, s := decode(t, "base64Files=UmFr")
	present, err := f.Bulk()
	require.False(t, present)
	require.NoError(t, err)
	require.Zero(t, s.opened)
}

func TestOpenSeesTheFieldsBefore(t *testing.T) {
	_, s := decode(t, "username=u&base64File=UmFr&password=p")
	require.Equal(t, []string{"u"}, s.seen)
	_, s = decode(t, "base64File=UmFr&username=u")
	require.Equal(t, []string{""}, s.seen)
}

// failing accepts that many bytes and then fails.
type failing struct {
	room int
	err  error
}

func (w *failing) Write(p []byte) (int, error) {
	if w.room -= len(p); w.room < 0 {
		return 0, w.err
	}
	return len(p), nil
}

// endless is a body of which little may be read.
type endless struct{ read int }

func (r *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'A'
	}
	r.read += len(p)
	return len(p), nil
}

func TestErrorsOfTheSinkEndTheBody(t *testing.T) {
	full := errors.New("no space")
	rest := &endless{}
	body := io.MultiReader(strings.NewReader("name=x&base64File="), rest)
	f, err := Decode(body, Options{Bulk: "base64File", Open: func(*Form) (io.Writer, error) { return &failing{1 << 20, full}, nil }})
	require.Equal(t, full, err)
	require.Less(t, rest.read, 2<<20)
	name, _ := f.Get("name")
	require.Equal(t, "x", name)

	refused := errors.New("wrong password")
	rest = &endless{}
	body = io.MultiReader(strings.NewReader("base64File="), rest)
	_, err = Decode(body, Options{Bulk: "base64File", Open: func(*Form) (io.Writer, error) { return nil, refused }})
	require.Equal(t, refused, err)
	require.Zero(t, rest.read)
}

func TestLimits(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, c := range []struct {
		body string
		o    Options
		err  error
	}{
		{"a=" + long, Options{MaxKept: 101}, nil},
		{"a=" + long, Options{MaxKept: 100}, ErrTooLarge},
		{"a=" + long + "&a=" + long, Options{MaxKept: 150}, ErrTooLarge},
		{long, Options{MaxKept: 50}, ErrTooLarge},
		{"a=1&b=" + long, Options{MaxKept: 50, Names: []string{"A"}}, nil},
		{"a&b&c", Options{MaxFields: 3}, nil},
		{"a&b&c", Options{MaxFields: 2}, ErrTooLarge},
		{"a&b&c", Options{MaxFields: 2, Names: []string{"a"}}, ErrTooLarge},
		{"base64File=" + strings.Repeat("QUJD", 100), Options{MaxKept: 1, Bulk: "base64File"}, nil},
	} {
		c.o.Open = func(*Form) (io.Writer, error) { return io.Discard, nil }
		_, err := Decode(strings.NewReader(c.body), c.o)
		require.Equal(t, c.err, err, "%.20s %+v", c.body, c.o.MaxKept)
	}
	f := testrun.Must(Decode(strings.NewReader("b=2&A=1"), Options{Names: []string{"a"}}))(t)
	_, present := f.Get("b")
	require.False(t, present)
	v, _ := f.Get("a")
	require.Equal(t, "1", v)
}

func TestABrokenBodyIsNoForm(t *testing.T) {
	for _, body := range []string{"", "a=1&na", "a=1&name=x", "a=1&base64File=UmFr"} {
		r := io.MultiReader(strings.NewReader(body), iotest.ErrReader(io.ErrUnexpectedEOF))
		_, err := Decode(r, Options{Bulk: "base64File", Open: func(*Form) (io.Writer, error) { return io.Discard, nil }})
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, body)
	}
}

// pieces is a body that arrives in reads of the test's sizes.
type pieces struct {
	body string
	cuts []int
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.body == "" {
		return 0, io.EOF
	}
	n := len(p.body)
	if len(p.cuts) > 0 {
		n, p.cuts = min(p.cuts[0], n), p.cuts[1:]
	}
	n = copy(b, p.body[:n])
	p.body = p.body[n:]
	return n, nil
}

// TestCutsMakeNoDifference checks that the sizes of the reads, the order of the fields and the
// escaping of characters do not matter.
func TestCutsMakeNoDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		content := rapid.SliceOfN(rapid.Byte(), 0, 400).Draw(t, "content")
		name := rapid.String().Draw(t, "name")
		encoded := base64.StdEncoding.EncodeToString(content)
		var value strings.Builder
		for _, c := range encoded {
			switch {
			case c == '+' || rapid.IntRange(0, 20).Draw(t, "escape") == 0:
				fmt.Fprintf(&value, "%%%02x", c)
			default:
				value.WriteRune(c)
			}
			if rapid.IntRange(0, 30).Draw(t, "white") == 0 {
				value.WriteString(rapid.SampledFrom([]string{"\t", "%09", "\n", "%0D%0A"}).Draw(t, "which"))
			}
		}
		fields := rapid.Permutation([]string{
			"username=u", "parentID=0", "name=" + url.QueryEscape(name), "base64File=" + value.String(),
		}).Draw(t, "fields")
		body := strings.Join(fields, "&")
		cuts := rapid.SliceOfN(rapid.IntRange(0, 9), 0, 300).Draw(t, "cuts")
		s := &sink{}
		f, err := Decode(&pieces{body, cuts}, Options{Bulk: "base64File", Open: s.open})
		require.NoError(t, err)
		_, fault := f.Bulk()
		require.NoError(t, fault)
		require.Equal(t, string(content), s.String())
		got, _ := f.Get("name")
		require.Equal(t, name, got)
	})
}

// TestLongValues checks that a value longer than the buffers is decoded completely, wherever it has line
// ends, escapes and unusual bytes.
func TestLongValues(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	content := make([]byte, 40<<10+1)
	rand.NewChaCha8([32]byte{}).Read(content)
	for _, white := range []string{"", "\t", "\n", "\r\n", "%0D%0A", "%09"} {
		for _, line := range []int{76, 77, 4000, 1 << 20} {
			for range 5 {
				var value strings.Builder
				left := random.IntN(line) + 1
				for _, c := range []byte(base64.StdEncoding.EncodeToString(content)) {
					if left--; left == 0 {
						value.WriteString(white)
						left = line
					}
					if c == '+' || c == '=' || c == '/' && random.IntN(2) == 0 || random.IntN(500) == 0 {
						fmt.Fprintf(&value, []string{"%%%02x", "%%%02X"}[random.IntN(2)], c)
					} else {
						value.WriteByte(c)
					}
				}
				f, s := decode(t, "base64File="+value.String()+"&name=x")
				_, fault := f.Bulk()
				require.NoError(t, fault)
				require.Equal(t, content, s.Bytes())
				name, _ := f.Get("name")
				require.Equal(t, "x", name)

				at := random.IntN(value.Len())
				for strings.Contains(value.String()[max(0, at-2):at], "%") {
					at--
				}
				f, _ = decode(t, "base64File="+value.String()[:at]+"#"+value.String()[at:])
				_, fault = f.Bulk()
				require.ErrorContains(t, fault, fmt.Sprintf("'#' (at byte %d)", at))
			}
		}
	}
}

// FuzzDecode compares with the standard library where both accept the form: the library rejects ;
// and malformed escapes, which our forms may contain.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"a=1&b=2", "base64File=UmFrZQ%3D%3D&a", "a=%zz;", "base64File=+&base64File=Q", "BASE64FILE=AAAA&base64File=BBBB", "=&=x&&",
		"base64File=QUJD%2B%2FQUJD%0AQQ%3D%3D", "base64File=QR==",
	} {
		f.Add(seed, uint8(3))
	}
	f.Fuzz(func(t *testing.T, body string, cut uint8) {
		want, refused := url.ParseQuery(body)
		for name := range want {
			if len(name) > maxName {
				t.Skip()
			}
		}
		s := &sink{}
		r := &pieces{body: body, cuts: slices.Repeat([]int{int(cut)}, len(body))}
		got := testrun.Must(Decode(r, Options{Bulk: "base64File", Open: s.open, MaxFields: len(body) + 1}))(t)
		if refused != nil {
			return
		}
		for name, values := range want {
			if strings.EqualFold(name, "base64File") {
				continue
			}
			value, present := got.Get(name)
			require.True(t, present)
			require.Equal(t, strings.Join(values, ","), value)
		}
		compareBulk(t, want, got, s)
	})
}

func compareBulk(t *testing.T, want url.Values, got *Form, s *sink) {
	values, present := want["base64File"]
	if !present {
		for name, more := range want {
			if strings.EqualFold(name, "base64File") {
				values, present = append(values, more...), true
			}
		}
	}
	gotPresent, err := got.Bulk()
	require.Equal(t, present, gotPresent)
	if !present {
		return
	}
	plain := strings.ReplaceAll(strings.Join(values, ","), "\t", "")
	content, fault := base64.StdEncoding.Strict().DecodeString(plain)
	if fault != nil {
		require.Error(t, err)
		return
	}
	require.NoError(t, err)
	require.Equal(t, string(content), s.String())
}

// BenchmarkDecode decodes content as paperfs sends it, large and small, and with everything escaped.
func BenchmarkDecode(b *testing.B) {
	content := make([]byte, 16<<20)
	rand.NewChaCha8([32]byte{}).Read(content)
	sent := func(content []byte) string {
		return strings.ReplaceAll(base64.StdEncoding.EncodeToString(content), "+", "%2B")
	}
	for name, value := range map[string]string{
		"plus": sent(content), "plus, 10 KiB": sent(content[:10<<10]), "all": url.QueryEscape(base64.StdEncoding.EncodeToString(content)),
	} {
		b.Run(name, func(b *testing.B) {
			body := "username=u&password=p&parentID=0&name=x&base64File=" + value
			b.SetBytes(int64(len(value) * 3 / 4))
			b.ReportAllocs()
			for b.Loop() {
				f, err := Decode(strings.NewReader(body), Options{Bulk: "base64File", Open: func(*Form) (io.Writer, error) { return io.Discard, nil }})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := f.Bulk(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
