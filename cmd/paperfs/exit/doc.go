// Package exit has the exit codes of paperfs as constants. It imports nothing, so every command can use
// it. Function exitCode of the program (cmd/paperfs/exit.go) decides which error ends with which code.
package exit
