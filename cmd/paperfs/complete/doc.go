// Package complete is what the shell completes: profiles, mount points and paths in
// mounts, and the script that asks for them (paperfs completion).
package complete
