// Package config has the configuration of a mount: from flags, or else the environment, or
// else a profile, or else the defaults.
//
// [New] returns the defaults, [MountFlags] binds the flags of paperfs mount to the fields of
// a [Config], Resolve applies the environment and a profile and records the source of each
// value, and Check returns the checked [Settings] of a mount.
package config
