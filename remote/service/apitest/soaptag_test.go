package apitest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestASOAPTagIsBounded checks that the size of a tag, and of the names of the elements around it,
// is bounded before the credentials are known, and that the answer quotes only a little of them.
func TestASOAPTagIsBounded(t *testing.T) {
	t.Parallel()
	s := start(t)
	name := func(size int) string { return strings.Repeat("x", size) }
	open, end := envelope11+"<e:Body>", "</e:Body></e:Envelope>"
	for _, c := range []struct{ action, body, want string }{
		{"", open + "<" + name(100_000) + "/>" + end, "too large a tag"},
		{"", open + "<a " + name(100_000) + "='y'/>" + end, "too large a tag"},
		{"", open + "<" + name(100_000), "too large a tag"},
		{"", envelope11 + "<e:Header>" + strings.Repeat("<"+name(30_000)+">", 3), "too many open elements"},
		{"", open + "<" + name(60_000) + "/>" + end, "no operation " + name(100) + "…"},
		{name(60_000), open + "<" + name(60_000) + "/>" + end, "does not match"},
	} {
		r := s.soap("text/xml", c.action, c.body)
		require.Equal(t, http.StatusInternalServerError, r.status)
		require.Contains(t, r.body, c.want)
		require.Less(t, len(r.body), 1000)
	}
}
