package form

import (
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// decodeJSON reads a JSON body as the service does.
func decodeJSON(body string, wrap func(io.Reader) io.Reader) (map[string]string, error) {
	f, err := Decode(FromJSON(wrap(strings.NewReader(body)), []string{"name", "paperID"}), Options{})
	got := map[string]string{}
	for _, p := range f.pairs {
		got[p.name] = p.value
	}
	return got, err
}

func asItComes(r io.Reader) io.Reader { return r }

func TestJSONBodies(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 3000)
	for _, c := range []struct {
		body string
		want map[string]string // nil: refused
		why  string
	}{
		{`{}`, map[string]string{}, ""},
		{" \r\n\t{ } \n", map[string]string{}, ""},
		{`{"paperID":"7","name":"a&b=c+d %20"}`, map[string]string{"paperID": "7", "name": "a&b=c+d %20"}, ""},
		{`{"a&b":1, "c":-0.50e+3 ,"d":true,"e":false}`, map[string]string{"a&b": "1", "c": "-0.50e+3", "d": "true", "e": "false"}, ""},
		{`{"paperID":null,"name":""}`, map[string]string{"name": ""}, ""},
		{`{"name":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\u0000"}`, map[string]string{"name": "\"\\/\b\f\n\r\té\U0001F600\x00"}, ""},
		{`{"n\u0061me":"x"}`, map[string]string{"name": "x"}, ""},
		{`{"name":"` + long + `","paperID":"1"}`, map[string]string{"name": long, "paperID": "1"}, ""},
		{`{"paperID":"7","paperID":"8"}`, nil, "paperID is there twice"},
		{`{"paperID":"7","p\u0061perID":null}`, nil, "paperID is there twice"},
		{`{"paperID":{"id":7}}`, nil, "paperID has more than one value in it: a parameter is text, a number, true or false"},
		{`{"paperID":[]}`, nil, "paperID has more than one value in it"},
		{`[]`, nil, "it has to be an object"},
		{`"x"`, nil, "it has to be an object"},
		{``, nil, "it ends early"},
		{`{`, nil, "it ends early"},
		{`{"name"`, nil, "it ends early"},
		{`{"name":`, nil, "it ends early"},
		{`{"name":"x`, nil, "it ends early"},
		{`{"name":"x"`, nil, "it ends early"},
		{`{"name":1`, nil, "it ends early"},
		{`{"name":"x",}`, nil, "where the name of a parameter is to begin"},
		{`{,}`, nil, "where the name of a parameter is to begin"},
		{`{name:"x"}`, nil, "where the name of a parameter is to begin"},
		{`{"name"="x"}`, nil, "where a colon has to"},
		{`{"name":"x" "paperID":"7"}`, nil, "where a comma or the end has to"},
		{`{"name":"x"} {}`, nil, "follows the object"},
		{`{"name":'x'}`, nil, "neither text nor a number"},
		{`{"name":01}`, nil, "neither text nor a number"},
		{`{"name":NaN}`, nil, "neither text nor a number"},
		{`{"name":}`, nil, "neither text nor a number"},
		{`{"name":` + strings.Repeat("1", 1100) + `}`, nil, "neither text nor a number"},
		{"{\"name\":\"a\nb\"}", nil, "a control character"},
		{`{"name":"\x"}`, nil, "no escape"},
		{`{"name":"\u12g4"}`, nil, "four digits"},
		{`{"name":"\ud83d"}`, nil, "half a character"},
		{`{"name":"\ud83d\n"}`, nil, "half a character"},
		{`{"name":"\ud83d\u0041"}`, nil, "half a character"},
		{`{"name":"\ud83dA"}`, nil, "half a character"},
		{`{"` + strings.Repeat("n", 1100) + `":"x"}`, nil, "a name is longer"},
		{"\ufeff{}", nil, "it has to be an object"},
		{`paperID=7`, nil, "it has to be an object"},
	} {
		for _, wrap := range []func(io.Reader) io.Reader{asItComes, iotest.OneByteReader, iotest.DataErrReader} {
			got, err := decodeJSON(c.body, wrap)
			if c.want != nil {
				require.NoError(t, err, c.body)
				require.Equal(t, c.want, got, c.body)
				continue
			}
			refused, is := errors.AsType[*JSONError](err)
			require.True(t, is, "%s: %v", c.body, err)
			require.Contains(t, refused.Words, c.why, c.body)
		}
	}
}

// TestABrokenConnectionIsNoJSON checks that an error of the connection stays what it is.
func TestABrokenConnectionIsNoJSON(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for _, begin := range []string{``, `{`, `{"na`, `{"name":`, `{"name":"x`, `{"name":1`, `{"name":"\u00`, `{"name":"x"`, `{"name":"x"}`} {
		_, err := decodeJSON(begin, func(r io.Reader) io.Reader { return io.MultiReader(r, iotest.ErrReader(broken)) })
		require.ErrorIs(t, err, broken, begin)
	}
}

// TestALongTextStaysShort checks that a text is passed on in pieces: whoever sent it is not known yet.
func TestALongTextStaysShort(t *testing.T) {
	t.Parallel()
	j := FromJSON(io.MultiReader(strings.NewReader(`{"name":"`), strings.NewReader(strings.Repeat("é", 1<<20)), strings.NewReader(`"}`)), nil).(*jsonBody)
	n := testrun.Must(io.Copy(io.Discard, struct{ io.Reader }{j}))(t)
	require.Equal(t, int64(len("&name=")+6<<20), n)
	require.Less(t, cap(j.piece), 32<<10)
}

var half = regexp.MustCompile(`(?i)\\ud[89a-f]`)

// FuzzJSON compares bodies with what encoding/json reads.
func FuzzJSON(f *testing.F) {
	for _, body := range []string{`{}`, `{"name":"x","paperID":7}`, `{"a":null,"b":[true],"c":{"d":1}}`, `{"n":"\ud83d\ude00\n","m":-1e5}`, "{\"\xff\":\"\xff\"}", `{"a":1,"a":2}`} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		got, err := decodeJSON(body, asItComes)
		var raw map[string]json.RawMessage
		other := json.Unmarshal([]byte(body), &raw)
		if err == nil {
			require.NoError(t, other, "only what is JSON is taken")
		}
		if other != nil || raw == nil || !utf8.ValidString(body) || half.MatchString(body) || len(body) > 1000 {
			return
		}
		want := map[string]string{}
		for name, value := range raw {
			var text string
			switch value[0] {
			case '{', '[':
				require.Error(t, err, "what is nested is refused")
				return
			case '"':
				require.NoError(t, json.Unmarshal(value, &text))
				want[name] = text
			case 'n':
			default:
				want[name] = string(value)
			}
		}
		if err != nil { // the last of two values would have counted
			require.ErrorContains(t, err, "is there twice")
			return
		}
		for name, text := range want {
			require.Equal(t, text, got[name], name)
		}
		if strings.Count(body, ":") == len(raw) {
			require.Equal(t, want, got)
		}
	})
}
