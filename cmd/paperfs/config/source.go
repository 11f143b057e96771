package config

// What a mount is told comes from its flags, else from the environment, else
// from a profile, else from the defaults. The flags of mount are the list of what
// there is: --tree-ttl is PAPERFS_TREE_TTL in the environment and tree_ttl in a
// profile. pflag parses all three, so a library of configuration has nothing to
// do between them; and none tells where a value came from.

// rank is which of these places a value comes from.
type rank int

const (
	ByDefault rank = iota
	inProfile
	inEnvironment
	onLine
)

// source is where a value comes from, as people are told.
type source struct {
	Rank rank
	Name string // --rpm, PAPERFS_RPM, /home/me/.config/paperfs/config.toml:4, default
}
