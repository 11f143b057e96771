package config

import (
	"fmt"
	"strings"
)

// VariableOf and KeyOf return the names of a flag's setting in the environment and in a profile.
func VariableOf(flag string) string { return "PAPERFS_" + strings.ToUpper(KeyOf(flag)) }

func KeyOf(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

// NameOf returns a setting's name as the user knows it: by its source, or by where it can be
// set.
func (c *Config) NameOf(key string) string {
	switch from := c.Sources[key]; {
	case from.Rank == inProfile:
		return fmt.Sprintf("%s of profile %s (%s)", key, c.profile.Name, from.Name)
	case from.Rank != ByDefault:
		return from.Name
	case c.profile != nil && c.profile.Name != "":
		return fmt.Sprintf("%s of profile %s", key, c.profile.Name)
	}
	return VariableOf(key)
}
