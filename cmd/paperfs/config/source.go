package config

// A setting comes from a flag, or else from the environment, or else from a profile, or else
// from the defaults. The flags of mount define the settings: --tree-ttl is PAPERFS_TREE_TTL in
// the environment and tree_ttl in a profile. pflag parses all three. A configuration library
// would add nothing, and none reports where a value came from.

// rank orders the sources of a value.
type rank int

const (
	ByDefault rank = iota
	inProfile
	inEnvironment
	onLine
)

// source is where a value comes from.
type source struct {
	Rank rank
	Name string // --rpm, PAPERFS_RPM, /home/me/.config/paperfs/config.toml:4, default
}
