package rules

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTime(t *testing.T) {
	for s, want := range map[string]string{
		"2031-03-01 06:00:00":  "2031-03-01 06:00:00",
		" 2031-03-01 06:00 ":   "2031-03-01 06:00:00",
		"2031-03-01":           "2031-03-01 00:00:00",
		"2031-03-01T06:00:00Z": "2031-03-01 06:00:00", "2031-03-01T06:00": "2031-03-01 06:00:00",
		"2031-03-01T06:00:00+00:00": "2031-03-01 06:00:00", "2031-03-01 06:00Z": "2031-03-01 06:00:00",
		"2031-01-01T00:00:00.000Z": "2031-01-01 00:00:00", "2031-01-01T00:00:00.0000000Z": "2031-01-01 00:00:00", "2031-03-01 06:00:00.0": "2031-03-01 06:00:00",
		"2031-03-01T06:00:00.0000000+00:00": "2031-03-01 06:00:00",
		"1900-01-01":                        "1900-01-01 00:00:00", "9999-12-31 23:59:59": "9999-12-31 23:59:59", "2028-02-29": "2028-02-29 00:00:00",
	} {
		got, ok := Time(s)
		require.True(t, ok, s)
		require.Equal(t, want, FormatTime(got))
	}
	for _, s := range []string{"", "31/12/2031", "12/31/2031", "2031-02-29", "2031-13-01", "1899-12-31", "10000-01-01", "2031-3-1",
		"2031-03-01Z", "2031-03-01T06:00:00+01:00", "2031-03-01 06:00:00.5", "2031-03-01T06:00:00.001Z", "2031-03-01T06:00:00.Z", "2031-03-01.000", "2031-03-01 06:00.000", "2031-03-01T06:00:00.000ZZ", "2031-03-01T06:00:00Z.000", "2031-03-01 24:00:00", "2031-03-01  06:00", "2031-03-01T6:00"} {
		_, ok := Time(s)
		require.False(t, ok, s)
	}
}

func TestTyped(t *testing.T) {
	for _, c := range []struct{ kind, in, want string }{
		{"bool", "TRUE", "true"}, {"bool", " 0 ", "false"},
		{"int", " 007 ", "7"}, {"int", "-2147483648", "-2147483648"},
		{"string", "", ""}, {"string", " a\nb ", " a\nb "}, {"string", strings.Repeat("é", 4000), strings.Repeat("é", 4000)},
		{"datetime", "2031-03-01T00:00:00Z", "2031-03-01"}, {"datetime", "2031-03-01 00:00:01", "2031-03-01 00:00:01"},
	} {
		got, ok := Typed(c.kind, c.in)
		require.True(t, ok, c.in)
		require.Equal(t, c.want, got)
	}
	for _, c := range [][2]string{{"bool", ""}, {"bool", "yes"}, {"int", ""}, {"int", "2147483648"}, {"int", "1.0"}, {"datetime", ""},
		{"string", "\x00"}, {"string", strings.Repeat("é", 4001)}, {"float", "1"}} {
		_, ok := Typed(c[0], c[1])
		require.False(t, ok, "%q", c)
	}
}

func TestBool(t *testing.T) {
	for s, want := range map[string]bool{"": true, "True": true, "1": true, " fALSE ": false, "0": false} {
		got, ok := Bool(s, true)
		require.True(t, ok)
		require.Equal(t, want, got)
	}
	_, ok := Bool("ja", false)
	require.False(t, ok)
}
