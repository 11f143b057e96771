package config

import (
	"slices"

	"paperfs/cmd/paperfs/profile"

	"github.com/spf13/cobra"
)

// CompleteProfile completes the name of a profile.
func CompleteProfile(c *Config) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return profileNames(c), cobra.ShellCompDirectiveNoFileComp
	}
}

// CompleteProfileAndDirectory completes a profile and a mount point, or a mount
// point alone.
func CompleteProfileAndDirectory(c *Config) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		switch len(args) {
		case 0:
			return profileNames(c), cobra.ShellCompDirectiveDefault
		case 1:
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
}

// CompleteProfileOrDirectory completes one argument that is a profile or a directory, with existing
// mount points.
func CompleteProfileOrDirectory(c *Config) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		var names []string
		if len(args) == 0 {
			names = profileNames(c)
		}
		return append(names, mountPoints(word, "")...), cobra.ShellCompDirectiveDefault
	}
}

// profileNames returns the names in the file of profiles, or nil if it cannot be read.
func profileNames(c *Config) []string {
	f, err := profile.Load(c.ProfileFile())
	if err != nil {
		return nil
	}
	return slices.Clone(f.Names())
}
