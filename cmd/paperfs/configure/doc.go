// Package configure has the command paperfs config, which adds, lists, shows, tests and removes
// profiles: one file for each of the subcommands that change or test something. [NewCommand] returns
// the command with all of them.
//
// Package profile reads and writes the file of profiles, package password the passwords, and package
// config resolves the settings. No command prints a password or takes one as an argument.
package configure
