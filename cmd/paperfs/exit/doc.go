// Package exit has the exit codes of paperfs.
package exit
