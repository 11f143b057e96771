// Package terminal writes output for people: text without control characters, tables, JSON with
// such characters escaped, and a progress line, which it writes only to a terminal.
package terminal
