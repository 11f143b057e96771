// Package complete has the shell completion of profiles, mount points and paths in mounts, and
// the command that prints the completion script (paperfs completion).
package complete
