// Package terminal is what a command writes for people: text that cannot steer their terminal,
// tables, JSON that means the same, and a line that tells what is waited for. On anything but a
// terminal nothing of the last is written.
package terminal
