// Package config has the configuration of a mount: from flags, or else the environment, or
// else a profile, or else the defaults; and the flags of paperfs serve.
//
// The settings are a table, the tags of the fields of [Config] and [Serve]: a new setting is one line
// there, and its use. table.go makes flags, defaults and checks of it. [New] returns the defaults,
// [Config.Resolve] applies the environment and a profile and records the source of each
// value, and [Config.Check] returns the checked [Settings] of a mount. Shell completion of a mount's
// arguments reads the table of mounts and the file of profiles. It asks no mount, which may not answer.
package config
