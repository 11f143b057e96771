// Package password gets the password of an account from a file, the output of a command, the
// desktop's keyring, or the user at the terminal.
package password
