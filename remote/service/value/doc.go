// Package value parses and formats the values in parameters and answers (service contract, 1.4
// and 2.3). Package rules has those that clients check, too.
package value
