// Package terminal writes output for people: text without control characters ([Printable]), tables
// ([Table]), JSON with such characters escaped ([WriteJSON]), pages in a pager ([Page]), and a progress
// line ([Shown]).
//
// Commands print the names and messages of a service through this package, so that none can control a
// terminal. A progress line and a pager appear only on a terminal ([Of]).
package terminal
