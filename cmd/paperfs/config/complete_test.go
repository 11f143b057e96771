package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// TestProfilesAreCompletedWhereOneIsMissing checks each function, before and after the profile.
func TestProfilesAreCompletedWhereOneIsMissing(t *testing.T) {
	c := New()
	c.ConfigFile = filepath.Join(t.TempDir(), "config.toml")
	none, directive := CompleteProfile(c)(nil, nil, "")
	require.Empty(t, none, "without a file of profiles, there is nothing to complete")
	require.Equal(t, cobra.ShellCompDirectiveNoFileComp, directive)
	require.NoError(t, os.WriteFile(c.ConfigFile, []byte("[acme]\n[studio]\n"), 0o600))
	for name, f := range map[string]cobra.CompletionFunc{"profile": CompleteProfile(c), "profile and directory": CompleteProfileAndDirectory(c)} {
		names, _ := f(nil, nil, "")
		require.Equal(t, []string{"acme", "studio"}, names, name)
		names, _ = f(nil, []string{"acme"}, "")
		require.Empty(t, names, name)
	}
	_, directive = CompleteProfileAndDirectory(c)(nil, []string{"acme"}, "")
	require.Equal(t, cobra.ShellCompDirectiveFilterDirs, directive)
}

// TestPathsAreLeftToTheShell checks what has no mount to offer.
func TestPathsAreLeftToTheShell(t *testing.T) {
	_, directive := CompleteMountPoint(nil, nil, "relative")
	require.Equal(t, cobra.ShellCompDirectiveFilterDirs, directive)
	_, directive = CompleteMountPoint(nil, nil, t.TempDir())
	require.Equal(t, cobra.ShellCompDirectiveFilterDirs, directive)
	_, directive = CompleteMountPoint(nil, []string{"one"}, "")
	require.Equal(t, cobra.ShellCompDirectiveNoFileComp, directive)
	found, directive := CompletePath(nil, nil, "a")
	require.Empty(t, found)
	require.Equal(t, cobra.ShellCompDirectiveDefault, directive)
}
