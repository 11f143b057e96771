// Package complete has the shell completion of profiles, mount points and paths in mounts, and
// the command that prints the completion script (paperfs completion). Completion reads the table of
// mounts and the file of profiles. It asks no mount, which may not answer.
package complete
