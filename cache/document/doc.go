// Package document is the cache of documents and values of single papers, in front
// of the service: structures, links, orders, settings, custom fields, search results,
// preview links and job statuses.
//
// What an answer costs is part of the contract with the mount's user, so every
// method says how many requests it makes. An answer lives for the document
// time to live, readers that ask at the same time share one request and its
// outcome, and a reader that gives up harms nobody else: the request goes on
// and its answer is kept. Own writes forget what they make stale, and a fetch
// that began before an own write is never kept.
//
// While the service is away an answer that is too old is better than none, so
// it is served as long as it is in memory.
//
// Answers are kept in a file between mounts, each with its age.
//
// Cache is the whole; memory holds answers, and keeper writes them to the file
// in the background. Sharing of requests is not golang.org/x/sync/singleflight's: a
// write has to make stale what is under way, together with what is held, under
// one lock, and keys are no strings.
//
// Locks: memory.mu is held for a moment, never over a request; keeper.mu while the
// file is written or removed. Cache.telling is held while which PDFs of a paper are kept is read
// and told, so that what is told last is what was recorded last. None is taken under another.
//
// Preview links made here and jobs seen here are kept in the state database,
// since no operation of the service lists either.
package document
