// Package value reads and writes the values that travel in parameters and
// answers (service contract, 1.4 and 2.3). Those that clients check, too, are in
// package rules.
package value
