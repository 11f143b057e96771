package form

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/textproto"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/remote/testrun"
)

// crlf writes a body of a test, whose lines end with \n and whose boundary is B.
func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

const (
	userPart = "--B\nContent-Disposition: form-data; name=\"username\"\n\nu\n"
	filePart = "--B\nContent-Disposition: form-data; name=\"base64File\"; filename=\"a;b.png\"\nContent-Type: image/png\n\n"
	theEnd   = "\n--B--\n"
)

func parts(r io.Reader, s *sink, o Options) (*Form, error) {
	o.Bulk, o.Open, o.Boundary = "base64File", s.open, "B"
	return Decode(r, o)
}

// TestMultipart checks what is taken, and why something is not.
func TestMultipart(t *testing.T) {
	for body, want := range map[string]string{
		userPart + filePart + "x" + theEnd:                                         "",
		userPart + filePart + theEnd:                                               "",
		userPart + filePart + "x\n--B--":                                           "",
		userPart + filePart + "x\n--B--\n \t\n\n":                                  "",
		userPart + strings.Replace(filePart, "--B\n", "--B \t\n", 1) + theEnd:      "",
		userPart + strings.Replace(filePart, "base64", "BASE64", 1) + "x" + theEnd: "",
		strings.TrimSuffix(filePart, "x") + "--B--":                                "",
		userPart + "--B--":                                                         "",
		userPart + strings.Replace(filePart, "\n\n", "\nContent-Transfer-Encoding: Binary\n\n", 1) + "x" + theEnd:    "",
		userPart + strings.Replace(filePart, "\n\n", "\nContent-Transfer-Encoding: base64\n\n", 1) + "eA==" + theEnd: "Content-Transfer-Encoding base64",
		strings.Replace(userPart, "\n\n", "\nContent-Transfer-Encoding: quoted-printable\n\n", 1) + theEnd:           "Content-Transfer-Encoding quoted-printable",
		userPart + strings.Replace(filePart, `; filename="a;b.png"`, "", 1) + "x" + theEnd:                           "no filename",
		userPart + filePart + "x\n" + userPart + "--B--":                                                             "something follows the content",
		userPart + filePart + "x\n" + filePart + "y" + theEnd:                                                        "something follows the content",
		userPart + filePart + "x" + theEnd + "y":                                                                     "follows the closing delimiter",
		userPart + filePart + "x" + theEnd + userPart + theEnd:                                                       "follows the closing delimiter",
		userPart + "--B--" + strings.Repeat(" ", 100_000) + "y":                                                      "follows the closing delimiter",
		userPart + filePart + "x":        "without the closing delimiter",
		userPart + filePart + "x\n--B":   "without the closing delimiter",
		userPart + filePart + "x\n--B-":  "without the closing delimiter",
		userPart + filePart[:20]:         "without the closing delimiter",
		"":                               "without the closing delimiter",
		"username=u&base64File=eA==":     "precedes the first part",
		"preamble\n" + userPart + theEnd: "precedes the first part",
		"--B\n\nx" + theEnd:              "Content-Disposition",
		"--Bx\nContent-Disposition: form-data; name=\"username\"\n\nu" + theEnd:                                    "proper header",
		"--B\nno header\n\nx" + theEnd:                                                                             "proper header",
		"--B\nContent-Disposition: attachment; name=\"a\"\n\nx" + theEnd:                                           "Content-Disposition",
		"--B\nContent-Disposition: form-data\n\nx" + theEnd:                                                        "Content-Disposition",
		"--B\nContent-Type: text/plain\n\nx" + theEnd:                                                              "Content-Disposition",
		"--B\nX: " + strings.Repeat("x", smallBuffer) + "\n\nx" + theEnd:                                           "more than 4096 bytes",
		strings.ReplaceAll(userPart, "\n\n", "\n\n\n") + "--B" + strings.Repeat("\nX: y", 2000) + "\n\nx" + theEnd: "more than 4096 bytes",
	} {
		s := &sink{}
		f, err := parts(strings.NewReader(crlf(body)), s, Options{})
		require.NoError(t, err, "%.300q", body)
		if want == "" {
			require.NoError(t, f.Malformed(), body)
			require.Equal(t, strings.Contains(body, "x\n--B"), s.Len() > 0, "%q", body)
			continue
		}
		require.ErrorContains(t, f.Malformed(), want, "%.300q", body)
	}
}

// TestMultipartCuts checks that the sizes of the reads do not matter, whatever the content is, and that a cut body is malformed.
func TestMultipartCuts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.OneOf(rapid.StringN(0, 5, -1), rapid.SampledFrom([]string{"\r", "\r\n", "\r\n--", "--B", "\r\n--A", "B"}))
		content := strings.ReplaceAll(strings.Join(rapid.SliceOfN(piece, 0, 100).Draw(t, "content"), ""), "\r\n--B", "")
		content = strings.ReplaceAll(content, "\r\n--B", "")
		if strings.Contains(content, "\r\n--B") || strings.HasPrefix(content, "--B") {
			t.Skip()
		}
		body := crlf(userPart) + crlf(filePart) + content + crlf(theEnd)
		cuts := rapid.SliceOfN(rapid.IntRange(1, 40), 0, 300).Draw(t, "cuts")
		s := &sink{}
		f, err := parts(&pieces{body, cuts}, s, Options{})
		require.NoError(t, err)
		require.NoError(t, f.Malformed())
		require.Equal(t, content, s.String())
		require.EqualValues(t, len(content), f.Content())
		require.Equal(t, []string{"u"}, s.seen)

		cut := rapid.IntRange(0, len(body)-3).Draw(t, "cut") // behind -- it is whole
		f, err = parts(&pieces{body[:cut], cuts}, &sink{}, Options{})
		require.NoError(t, err)
		require.Error(t, f.Malformed())
	})
}

// TestMultipartErrors checks the limits, and that other errors end the body at once.
func TestMultipartErrors(t *testing.T) {
	long := strings.Replace(crlf(userPart), "u\r\n", strings.Repeat("u", 100)+"\r\n", 1)
	for _, c := range []struct {
		body string
		o    Options
		err  error
	}{
		{long, Options{MaxKept: 108}, nil},
		{long, Options{MaxKept: 107}, ErrTooLarge},
		{long + long, Options{MaxKept: 200}, ErrTooLarge},
		{long, Options{MaxKept: 5}, ErrTooLarge},
		{long + long, Options{MaxKept: 5, Names: []string{"name"}}, nil},
		{long + long, Options{MaxFields: 2}, nil},
		{long + long, Options{MaxFields: 1}, ErrTooLarge},
	} {
		_, err := parts(strings.NewReader(c.body+"--B--"), &sink{}, c.o)
		require.Equal(t, c.err, err)
	}
	lifted := 0
	_, err := parts(strings.NewReader(long+long+"--B--"), &sink{}, Options{Early: 150, Lift: func(seen *Form) (int64, error) {
		lifted++
		_, present := seen.Get("username")
		require.True(t, present)
		return 0, nil
	}})
	require.NoError(t, err)
	require.Equal(t, 1, lifted)

	for _, body := range []string{"", userPart, userPart + filePart, userPart + filePart + "x" + theEnd} {
		_, err := parts(io.MultiReader(strings.NewReader(crlf(body)), iotest.ErrReader(io.ErrUnexpectedEOF)), &sink{}, Options{})
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, body)
	}
	for _, open := range []func(*Form) (io.Writer, error){
		func(*Form) (io.Writer, error) { return nil, errFull },
		func(*Form) (io.Writer, error) { return &failing{1 << 20, errFull}, nil },
	} {
		rest := &endless{}
		_, err := Decode(io.MultiReader(strings.NewReader(crlf(filePart)), rest), Options{Bulk: "base64File", Open: open, Boundary: "B"})
		require.Equal(t, errFull, err)
		require.Less(t, rest.read, 2<<20)
	}
}

var errFull = errors.New("no space")

// FuzzMultipart checks that what is taken means the same to the standard library.
func FuzzMultipart(f *testing.F) {
	for _, body := range []string{userPart + filePart + "x" + theEnd, filePart + userPart + "--B--", userPart + userPart + filePart + "\n--\n--B--\n", "--B--", "--B\n\n\n--B--"} {
		f.Add(crlf(body), uint8(3))
	}
	f.Add("--B\r\nContent-Disposition:form-data;name=\"0\"\n\n\r\n\r\n--B--", uint8(3)) // the header ends with bare line feeds
	f.Fuzz(func(t *testing.T, body string, cut uint8) {
		s := &sink{}
		got := testrun.Must(parts(&pieces{body: body, cuts: slices.Repeat([]int{int(cut)}, len(body))}, s, Options{MaxFields: len(body) + 1}))(t)
		if got.Malformed() != nil {
			return
		}
		want, content := &Form{}, []byte(nil)
		for r := multipart.NewReader(strings.NewReader(body), "B"); ; {
			p, err := r.NextRawPart()
			if err == io.EOF {
				break
			}
			require.NoError(t, err)
			value := testrun.Must(io.ReadAll(p))(t)
			if strings.EqualFold(p.FormName(), "base64File") {
				require.Nil(t, content)
				content = append([]byte{}, value...)
				continue
			}
			require.Nil(t, content, "a field behind the content")
			want.pairs = append(want.pairs, pair{p.FormName(), string(value)})
		}
		require.Equal(t, want.pairs, got.pairs)
		present, _ := got.Bulk()
		require.Equal(t, content != nil, present)
		require.True(t, bytes.Equal(content, s.Bytes()))
	})
}

// TestMultipartOfTheStandardLibrary checks that bodies of usual clients are taken, with names in UTF-8 and in quotes.
func TestMultipartOfTheStandardLibrary(t *testing.T) {
	content := bytes.Repeat([]byte("\r\n--\x00"), 100_000)
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	require.NoError(t, w.WriteField("name", "Ü\r\n\"b\".png"))
	h := textproto.MIMEHeader{"Content-Disposition": {multipart.FileContentDisposition("base64File", "Ü\"b\\.png")}, "Content-Type": {"image/png"}}
	p := testrun.Must(w.CreatePart(h))(t)
	testrun.Must(p.Write(content))(t)
	require.NoError(t, w.Close())
	_, parameters := testrun.Must2(mime.ParseMediaType(w.FormDataContentType()))(t)
	s := &sink{}
	f := testrun.Must(Decode(&body, Options{Bulk: "base64File", Open: s.open, Boundary: parameters["boundary"]}))(t)
	require.NoError(t, f.Malformed())
	name, _ := f.Get("name")
	require.Equal(t, "Ü\r\n\"b\".png", name)
	require.True(t, bytes.Equal(content, s.Bytes()))
}
