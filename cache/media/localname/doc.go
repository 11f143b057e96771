// Package localname knows the names that stay on this machine: what programs
// use on the way to a real name, what browsers call a download that is not
// finished, and what no publisher means.
//
// Names is what a mount decides by: the list of patterns that count for every
// program, those that the user adds, names beside another one, and names that
// some programs use and others mean. Letters count in any case, as the service
// holds names that differ in nothing else for one.
//
// It decides on a name that is new. A name that the service has is published,
// whatever it looks like. Nothing here takes a lock.
package localname
