package papers

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

func TestParseCriteria(t *testing.T) {
	for query, want := range map[string][]remote.FieldCriterion{
		"season=spring": {{Name: "season", Value: "spring"}},
		"season=spr*":   {{Name: "season", Value: "spr%", Wildcard: true}},
		"season=*":      {{Name: "season", Value: "%", Wildcard: true}},
		"a=1&b=x*y*":    {{Name: "a", Value: "1"}, {Name: "b", Value: "x%y%", Wildcard: true}},
		"a=5%25":        {{Name: "a", Value: "5%"}},
		"a=2%2A3%26%3D": {{Name: "a", Value: "2*3&="}},
		"a=x=y":         {{Name: "a", Value: "x=y"}},
		"a=":            {{Name: "a"}},
		"a=%c3%a9*":     {{Name: "a", Value: "é%", Wildcard: true}},
		"a=one two":     {{Name: "a", Value: "one two"}},
	} {
		got, err := parseCriteria(query)
		require.NoError(t, err, query)
		assert.Equal(t, want, got, query)
	}
	for _, query := range []string{"season", "=x", "a=1&", "a=%", "a=%2", "a=%zz", "a=50%25*", "", "a=%+1"} {
		_, err := parseCriteria(query)
		assert.Error(t, err, query)
	}
}

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
	minutes, ip, err := parsePreview("60 203.0.113.7")
	require.NoError(t, err)
	assert.Equal(t, 60, minutes)
	assert.Equal(t, "203.0.113.7", ip)
	for _, value := range []string{"", "an hour", "60 1.2.3.4 5", "1.5", "60m"} {
		_, _, err := parsePreview(value)
		assert.Error(t, err, value)
	}
}
