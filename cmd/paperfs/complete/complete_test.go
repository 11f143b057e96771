package complete

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/config"
)

// TestProfilesAreCompletedWhereOneIsMissing checks each function, before and after the profile.
func TestProfilesAreCompletedWhereOneIsMissing(t *testing.T) {
	c := config.New()
	c.ConfigFile = filepath.Join(t.TempDir(), "config.toml")
	none, directive := Profile(c)(nil, nil, "")
	require.Empty(t, none, "without a file of profiles, there is nothing to complete")
	require.Equal(t, cobra.ShellCompDirectiveNoFileComp, directive)
	require.NoError(t, os.WriteFile(c.ConfigFile, []byte("[acme]\n[studio]\n"), 0o600))
	for name, f := range map[string]cobra.CompletionFunc{"profile": Profile(c), "profile and directory": ProfileAndDirectory(c)} {
		names, _ := f(nil, nil, "")
		require.Equal(t, []string{"acme", "studio"}, names, name)
		names, _ = f(nil, []string{"acme"}, "")
		require.Empty(t, names, name)
	}
	_, directive = ProfileAndDirectory(c)(nil, []string{"acme"}, "")
	require.Equal(t, cobra.ShellCompDirectiveFilterDirs, directive)
}

// TestPathsAreLeftToTheShell checks what has no mount to offer.
func TestPathsAreLeftToTheShell(t *testing.T) {
	_, directive := MountPoint(nil, nil, "relative")
	require.Equal(t, cobra.ShellCompDirectiveFilterDirs, directive)
	_, directive = MountPoint(nil, nil, t.TempDir())
	require.Equal(t, cobra.ShellCompDirectiveFilterDirs, directive)
	_, directive = MountPoint(nil, []string{"one"}, "")
	require.Equal(t, cobra.ShellCompDirectiveNoFileComp, directive)
	found, directive := Path(nil, nil, "a")
	require.Empty(t, found)
	require.Equal(t, cobra.ShellCompDirectiveDefault, directive)
}

// TestAScriptForEachShell checks that each shell gets its own, and that others are refused.
func TestAScriptForEachShell(t *testing.T) {
	for shell, has := range map[string]string{"bash": "_get_comp_words_by_ref() {", "zsh": "#compdef paperfs", "fish": "complete -c paperfs"} {
		root := &cobra.Command{Use: "paperfs"}
		root.AddCommand(NewCommand())
		var out bytes.Buffer
		root.SetOut(&out)
		root.SetArgs([]string{"completion", shell})
		require.NoError(t, root.Execute())
		require.Contains(t, out.String(), has)
		root.SetArgs([]string{"completion", "tcsh"})
		root.SetErr(&out)
		require.ErrorContains(t, root.Execute(), "bash, fish, zsh")
	}
}
