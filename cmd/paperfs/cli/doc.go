// Package cli is how the commands speak with who calls them: their help ([Help]), flags in groups
// ([GroupFlags]), values that are words or sizes ([Choose], [Size]), the errors of a wrong call
// ([UsageError]), the exit codes, and output for people: text without control characters
// ([Printable]), tables ([Table]), JSON with such characters escaped ([WriteJSON]), pages in a pager
// ([Page]), and a progress line ([Shown]). It also has what a program that runs until it is stopped
// writes to: a log that waits for no reader ([LogWriter]), the service manager ([NotifyManager]) and its
// journal ([OpenJournal], [WithLevels]), if there are any.
//
// A wrong command line or environment is a UsageError: the program then ends with [ExitUsage], and
// names the help of the command. Which error ends with which code is decided by function exitCode of
// the program (cmd/paperfs/exit.go).
//
// Commands print the names and messages of a service through this package, so that none can control a
// terminal. A progress line and a pager appear only on a terminal ([Terminal]). The package has no
// state but that of a LogWriter: a queue under its lock.
package cli
