package generated

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

func TestLastPartOfAnAddress(t *testing.T) {
	n := remote.Node{URL: "/Catalogues/2027/spring/"}
	for value, want := range map[string]string{
		"sale": "sale", "sale/": "sale", "/Catalogues/2027/sale/": "sale", "/catalogues/2027/Sale": "Sale", "a-b_c.d~1": "a-b_c.d~1",
	} {
		got, err := lastPart(n, value)
		require.NoError(t, err, value)
		assert.Equal(t, want, got, value)
	}
	for _, value := range []string{"", "/", ".", "..", "a b", "a/b", "/other/sale/", "/Catalogues/2027/", "/Catalogues/2027/a/b/", "http://x/", "é", "a?b", " sale"} {
		_, err := lastPart(n, value)
		assert.Error(t, err, "%q", value)
	}
}

func TestParsePreview(t *testing.T) {
	minutes, ip := testrun.Must2(parsePreview("60 203.0.113.7"))(t)
	assert.Equal(t, 60, minutes)
	assert.Equal(t, "203.0.113.7", ip)
	for _, value := range []string{"", "an hour", "60 1.2.3.4 5", "1.5", "60m"} {
		_, _, err := parsePreview(value)
		assert.Error(t, err, value)
	}
}
