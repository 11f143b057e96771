// Package profile keeps the profiles of a user: services with the settings of
// their mounts, by name, in one TOML file. It knows no setting: its caller does.
//
// The file belongs to its user. So Add appends to it and Remove cuts out of it,
// and what else is there, comments too, stays as it was written.
//
// A [File] has the [Profile]s that were read; a profile is a name and its [Setting]s,
// each with the line that it is on. Add and Remove write the whole file beside it and rename it,
// so that a reader finds the old one or the new one.
package profile
