// Package reading reads content of the service as it comes: the first byte at once, and only what
// is read.
//
// A Source is one version of a file. It has the blocks that are here, in a sparse file or, where
// the disk has no room, in memory, and at most one stream: an answer that brings the following
// blocks, some way ahead of the furthest reader (window.go). Readers have a block before it is written. A block that the stream does not come
// to soon is fetched by a range of its own; a reader that reads on there moves the stream, and one
// that reads at random gets pieces of blocks (piece.go). All
// requests after the first carry If-Match, so a Source never mixes versions. Where the service
// gives no parts, or no strong ETags, the stream alone brings all, from the beginning, and each
// block that comes again is compared with what it was.
//
// A Source knows which blocks it gave out. The read that would complete them waits until the
// SHA-256 of the whole is right (verify.go). So no program and no page cache has all of damaged
// content, and still a tail comes at once. Only whole files that are right go to the Keeper; a
// part stays while the Pool lives and there is room, and few enough are open (mayIdle).
//
// A service in this process may have all of the content in a file of its own. Then the Source reads
// that file, and nothing is fetched or kept (own.go).
//
// The files call each other in one direction, from a read down to what it waits for: source.go and
// pool.go; verify.go and piece.go; begin.go and fetch.go, which choose between a stream and a range;
// stream.go; arrive.go and answer.go, which take in what comes; hash.go; drop.go; room.go; wait.go.
//
// A Source says where it stands by these fields:
//
//	begun     an answer told the size, and how the service gives the content, or it is kept
//	whole     the service gives no parts: one answer has all bytes
//	hurried   another version is known: the answer under way goes on to its end
//	gone      the service has refused this version: what is not here is ErrSuperseded
//	err       damaged, or the pool is closed: nothing is read any more
//	verified  the SHA-256 of all bytes is right
//	keeping   the Keeper takes over the file
//	kept      the file is whole, and blocks do not matter any more
//	own       it is the service's own file, open while a reader has the source open
//	dropped   nothing is here any more, and it cannot be opened again
//
// Pool.mu, the lock Reading of package lock, guards the pool and all its sources. It is released for requests, for reading and
// writing files, and for calls of the Keeper except Give; only holes are punched under it. A
// block that is used without it is pinned, one that is being written is in storing, and neither
// is dropped. A goroutine waits for Source.changed; one that waits for what other sources use is in
// Pool.hungry, too. No request but that for a piece has the context of a reader: a signal ends the wait alone.
package reading
