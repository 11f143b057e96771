package generated

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
		got, err := parseFieldSearch(query)
		require.NoError(t, err, query)
		assert.Equal(t, want, got, query)
	}
	for _, query := range []string{"season", "=x", "a=1&", "a=%", "a=%2", "a=%zz", "a=50%25*", "", "a=%+1"} {
		_, err := parseFieldSearch(query)
		assert.Error(t, err, query)
	}
}
