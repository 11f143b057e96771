// Package datadir is the directory of everything that a service keeps: the
// names in it, its lock ([Lock]), the client.env of the first account
// ([ClientEnv]), the first start ([FirstStart]), and whether its database and
// its content belong together ([Check]).
//
// # Invariants
//
//   - One process serves a directory at a time; an administrator's commands work
//     beside it.
//
//   - What does not belong together is refused, and nothing of it is changed:
//     the rules are a table, at ownership.
//
//   - Content gets its id before the database does: a database that has one is
//     held to it.
//
//   - A directory that a copy goes to has a mark before anything else, and until the copy
//     is whole ([MarkCopy], [EndCopy]).
//
//   - A key is in client.env before its account is in the database.
package datadir

// Names in the directory.
const (
	DatabaseFile  = "service.db"
	ContentDir    = "content"
	LockFile      = "lock"
	ClientEnvFile = "client.env"
)
