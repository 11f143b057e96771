// Package password finds the password of an account: in a file, in what a command
// prints, in the desktop's keyring, or by asking on the terminal.
package password
