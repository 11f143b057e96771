// Package profile keeps a user's profiles in one TOML file. A profile is a named service with
// the settings of its mounts. The package does not know the settings; its caller does.
//
// The user also edits the file. So [Add] only appends to it and [Remove] only cuts out of it;
// everything else, comments included, is unchanged.
//
// A [File] has the [Profile]s of a file; a profile is a name and its [Setting]s, each with its
// line. Add and Remove write a new file beside the old one and rename it, so that a reader sees
// the old file or the new one. They hold a lock on the directory (flock).
//
// The password of an account comes from a file, the output of a command, the desktop's keyring, or the
// user at the terminal: password.go and keyring.go.
package profile
