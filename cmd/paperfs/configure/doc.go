// Package configure is paperfs config: it adds, lists, shows, tests and removes
// profiles. The file of profiles is package profile's.
package configure
