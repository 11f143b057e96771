// Package document caches documents and values of single papers and categories in front of
// the service: structures, links, orders, settings, custom fields, search results, preview
// links and job statuses.
//
// The cost of an answer is part of the contract with the user of a mount, so every method
// states how many requests it makes. "0 while cached" means that it makes none while the
// answer is younger than Options.TTL.
//
// Cache is the main type. Its memory holds the answers, and its saver writes them to a
// file in the background, so that the next mount has them, each with its age. Preview
// links created on this machine, jobs, and the PDFs sent from this machine are in the
// state database, because no operation of the service lists them.
//
// The files call each other in one direction. Below, memory.go and saver.go hold answers, and
// jobrecord.go and sources.go what the database knows of jobs and of the PDFs sent from here. forget.go and
// edition.go take in that such a PDF is replaced, document.go notices it in new pages. Above them, the end
// of a job (job.go) tells which PDF is good, which may need the end of older jobs (goodsource.go): only
// these two call each other in a circle. process.go sends a PDF, told.go and watch.go learn what became of it.
//
// Invariants:
//
//   - Readers of the same answer share one request and its outcome. A reader that gives up
//     does not cancel the request for the others, and its answer is cached.
//   - A local write forgets the answers that it makes stale. An answer whose request
//     started before the write is never cached.
//   - While the service is unreachable, a stale answer is better than none: it is returned
//     as long as it is in memory.
//
// Shared requests use neither golang.org/x/sync/singleflight nor waiter.Flights: a
// write must mark requests under way as stale and forget answers under one lock, and each
// key has its own request.
//
// Locks: memory.mu is never held over a request. saver.mu is held while the file is
// renamed or removed. Cache.pinning is held from reading which PDFs of a paper to keep
// until pinPDFs has returned, so that the last call reports the last state. sendOrder.mu
// and pollSchedule.mu guard a few fields. None is taken while another is held.
package document
