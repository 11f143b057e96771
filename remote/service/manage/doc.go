// Package manage serves the publisher's page at /manage/: a browser signs in, and then calls the same operations as the API
// does, judged by the role of its account.
//
//	page.go      what is at which address
//	lock.go      what keeps other origins out: headers, the scheme, where a request comes from
//	visit.go     one request, and whose session it has
//	cookie.go    the cookie of a session, which nothing but this package reads
//	signin.go    how a session begins and ends
//	call.go      an operation that the page calls
//	document.go  the head of all its documents; sessionpage.go, accountpage.go, tablepage.go: what they have
//	word.go      their texts, in the languages of package view
//
// A request that changes something comes from a document of this origin, and has the token of its session. Only the
// document of the session has that token.
//
// The package keeps nothing in memory: a session is a row of the records, so it holds on every node, and ends on every
// node at once.
package manage
