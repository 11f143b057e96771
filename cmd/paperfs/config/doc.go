// Package config holds what a mount is configured with: flags, else the
// environment, else a profile, else the defaults.
//
// New has the defaults, MountFlags binds the flags of paperfs mount to the fields
// of a Config, Resolve adds what the environment and a profile say and records
// where each value comes from, and Check returns what a mount needs, checked.
package config
