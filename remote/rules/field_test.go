package rules

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFieldName(t *testing.T) {
	for _, good := range []string{"a", "Z_9", "_", "0", strings.Repeat("x", MaxFieldName)} {
		require.True(t, FieldName(good), good)
	}
	for _, bad := range []string{"", "a b", "a-b", "é", "a.b", "a\n", strings.Repeat("x", MaxFieldName+1)} {
		require.False(t, FieldName(bad), "%q", bad)
	}
}
