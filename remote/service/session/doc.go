// Package session is how a browser is signed in to the publisher's page: what a session is, how long it lasts, and the links
// that begin one. The page and its cookie are in package manage; a call that a session makes is judged by package call.
package session
