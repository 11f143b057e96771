package config

import (
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

func TestRequestLimitComesFromFlagThenEnvironmentThenKindOfService(t *testing.T) {
	for _, c := range []struct {
		env  string
		args []string
		want int
	}{
		{"", nil, 0},
		{"", []string{"--url", "https://x.example"}, 45},
		{"10", []string{"--url", "https://x.example"}, 10},
		{"0", []string{"--url", "https://x.example"}, 0},
		{"10", []string{"--url", "https://x.example", "--rpm", "20"}, 20},
		{"10", []string{"--url", "https://x.example", "--rpm", "0"}, 0},
	} {
		t.Setenv("PAPERFS_RPM", c.env)
		config := New()
		flags := pflag.NewFlagSet("mount", pflag.ContinueOnError)
		for _, group := range MountFlags(config) {
			flags.AddFlagSet(group)
		}
		require.NoError(t, flags.Parse(c.args))
		require.NoError(t, config.Resolve(flags, ""))
		got, err := config.RequestLimit()
		require.NoError(t, err)
		require.Equal(t, c.want, got, c)
	}
}

func TestDefaultDataDirectoryIsTheUsersNow(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", "/somewhere/data")
	require.Equal(t, "/somewhere/data/paperfs", New().Data)
}

// TestEachFlagOfAMountHasWordsForAWrongValue checks that each type of flag has an error message for
// a wrong value in a profile.
func TestEachFlagOfAMountHasWordsForAWrongValue(t *testing.T) {
	for _, group := range MountFlags(New()) {
		group.VisitAll(func(f *pflag.Flag) { require.NotEmpty(t, wanted[f.Value.Type()], f.Name) })
	}
}

func TestOptionsAreSplitAtCommasOutsideOfQuotes(t *testing.T) {
	require.Equal(t, []string{"a", "b=c,d", "e"}, splitOptions(`a,b="c,d",e`))
}
