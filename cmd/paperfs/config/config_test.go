package config

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/call"
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
		for _, group := range config.MountFlags {
			flags.AddFlagSet(group)
		}
		require.NoError(t, flags.Parse(c.args))
		require.NoError(t, config.Resolve(flags, ""))
		require.Equal(t, c.want, config.RequestLimit(), c)
	}
}

func TestAnUnknownVariableIsRefusedByName(t *testing.T) {
	for variable, says := range map[string]string{
		"PAPERFS_TREETTL": "did you mean PAPERFS_TREE_TTL?", "PAPERFS_READONLY": "did you mean PAPERFS_READ_ONLY?", "PAPERFS_NONSENSE": "unset it",
		"PAPERFS_TEST_SEED": "", "PAPERFS_CONFIG": "", "PAPERFS_PASSWORD": "", "PAPERFSX": "", "XPAPERFS_Y": "",
	} {
		t.Run(variable, func(t *testing.T) {
			t.Setenv(variable, "1")
			err := New().Resolve(pflag.NewFlagSet("mount", pflag.ContinueOnError), "")
			switch {
			case says != "":
				require.ErrorContains(t, err, variable)
				require.ErrorContains(t, err, says)
			case err != nil:
				require.NotContains(t, err.Error(), "no such setting")
			}
		})
	}
}

func TestDefaultDataDirectoryIsTheUsersNow(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", "/somewhere/data")
	require.Equal(t, "/somewhere/data/paperfs", New().Data)
}

// TestATableHasWhatItSays checks that each default and each range of a table can be a value, that each word
// is in the help, and that no row has a tag that nothing reads.
func TestATableHasWhatItSays(t *testing.T) {
	read := regexp.MustCompile(`^((flag|group|help|value|default|words|range|list):"[^"]*"( |$))+$`)
	for _, groups := range [][]*pflag.FlagSet{New().MountFlags, NewServe().Flags} {
		for _, group := range groups {
			VisitSettings(group, func(f *pflag.Flag) {
				require.Regexp(t, read, string(rowOf(f)))
				require.Contains(t, rowOf(f).Get("help"), rowOf(f).Get("value"), f.Name)
				for _, word := range strings.Fields(rowOf(f).Get("words")) {
					require.Contains(t, f.Usage, word, f.Name)
				}
				least, most, bounded := strings.Cut(rowOf(f).Get("range"), "..")
				for _, limit := range []string{least, most} {
					if limit != "" {
						require.NoError(t, f.Value.Set(limit), f.Name)
					}
				}
				require.True(t, !bounded || number(least) < number(most), f.Name)
			})
		}
	}
	c, s := New(), NewServe()
	require.NoError(t, checkValues(c, KeyOf))
	require.NoError(t, s.CheckValues())
	require.Equal(t, "http://tempuri.org/", call.DefaultNamespace, "in the help of --namespace")
}

func TestOptionsAreSplitAtCommasOutsideOfQuotes(t *testing.T) {
	require.Equal(t, []string{"a", "b=c,d", "e"}, splitOptions(`a,b="c,d",e`))
}
