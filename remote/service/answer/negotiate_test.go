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
	value, has := Preference([]string{`x`, `Wait=5; y, NAME="a\"b"; z`}, "name")
	require.True(t, has)
	require.Equal(t, `a"b`, value)
	value, has = Preference([]string{"wait=5, name"}, "name")
	require.True(t, has)
	require.Empty(t, value)
	_, has = Preference([]string{"wait=name"}, "name")
	require.False(t, has)
}
