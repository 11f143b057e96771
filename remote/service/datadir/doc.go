// Package datadir manages the directory in which a service stores everything: the names in it,
// its lock ([Lock]), the client.env of the first account ([ClientEnv]), the first start
// ([FirstStart]), and the check whether database and content belong together ([Check]).
//
// # Invariants
//
//   - One process at a time serves a directory; administrator's commands can work at the
//     same time.
//   - A database and content that do not belong together are rejected and left unchanged:
//     the table ownership has the rules.
//   - Content gets its id before the database does: a database with an id accepts only
//     content with the same id.
//   - The target directory of a copy is marked before anything else is written, until the
//     copy is complete ([MarkCopy], [EndCopy]).
//   - A key is in client.env before its account is in the database. If the change is cut between the two, the next
//     `account rotate` writes another one.
package datadir

// File names in the directory.
const (
	DatabaseFile  = "service.db"
	ContentDir    = "content"
	LockFile      = "lock"
	ClientEnvFile = "client.env"
)
