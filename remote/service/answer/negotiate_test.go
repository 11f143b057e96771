package answer

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/address"
)

// TestMatchesComparesWeakly checks lists of tags, and the star that matches everything.
func TestMatchesComparesWeakly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		header []string
		want   bool
	}{
		{nil, false}, {[]string{`"a"`}, true}, {[]string{`W/"a"`}, true}, {[]string{`"b"`, `"c", "a"`}, true}, {[]string{" * "}, true}, {[]string{`"b", *`}, false}, {[]string{`a`}, false},
		{[]string{"*"}, true}, {[]string{`W/"x" , "a" ,"y"`}, true}, {[]string{`"a,b", , "a"`}, true}, {[]string{`"*"`}, false}, {[]string{`"x, a"`}, false}, {[]string{""}, false},
	} {
		require.Equal(t, c.want, MatchesTag(c.header, `"a"`), "%q", c.header)
		require.Equal(t, c.want, MatchesTag(c.header, `W/"a"`), "%q", c.header)
	}
}

// TestAcceptsGzipByItsWeight checks that a weight of 0 refuses.
func TestAcceptsGzipByItsWeight(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]bool{
		"": false, "gzip": true, "br, GZIP;q=0.5": true, "gzip;q=0": false, "gzip; q=0.000": false, "gzip;q=x": false, "x-gzip": false, "*": false,
	} {
		require.Equal(t, want, AcceptsGzip(&http.Request{Header: http.Header{"Accept-Encoding": {header}}}), "%q", header)
	}
}

// TestAQuoteOfTheClientHidesNothingAfterIt checks that what a proxy appends stays a part of its own.
func TestAQuoteOfTheClientHidesNothingAfterIt(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{`for="a,b"`, " for=c"}, address.SplitQuoted(`for="a,b", for=c`, ','))
	parts := address.SplitQuoted(`for="client, for=proxy`, ',')
	require.Equal(t, " for=proxy", parts[len(parts)-1])
	require.Empty(t, address.SplitQuoted("", ','))
}

// TestAPreferenceInAllForms checks the forms that RFC 7240 allows: of several, the first counts.
func TestAPreferenceInAllForms(t *testing.T) {
	t.Parallel()
	for value, headers := range map[string][][]string{
		"412": {{"unchanged=412"}, {"Unchanged=412"}, {"unchanged = 412"}, {`unchanged="412"`}, {`unchanged="4\12"`}, {"unchanged=412; foo"}, {`unchanged=412;foo="a;b,c"`},
			{"respond-async, unchanged=412"}, {"respond-async", "unchanged=412"}, {`wait=10;x="\"," , , unchanged=412 , return=minimal`}, {"unchanged=412, unchanged=200"}},
		"200":  {{"unchanged=200, unchanged=412"}, {"unchanged=200", "unchanged=412"}},
		"":     {{"wait=5, unchanged"}},
		"none": {{"not-unchanged=412"}, {`foo="x, unchanged=412"`}, {"foo; unchanged=412"}, {"wait=unchanged"}, {""}, nil},
		`a"b`:  {{`x`, `Wait=5; y, UNCHANGED="a\"b"; z`}},
	} {
		for _, header := range headers {
			got, has := Preference(header, "unchanged")
			require.Equal(t, value != "none", has, "%q", header)
			if has {
				require.Equal(t, value, got, "%q", header)
			}
		}
	}
}
