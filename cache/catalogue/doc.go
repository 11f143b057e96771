// Package catalogue caches the tree of categories and papers, so that reading it
// costs no request.
//
// A Snapshot is the whole tree at one moment; it never changes, so it is read
// without locks. A Catalogue has a current snapshot and replaces it in two ways:
//
//   - A fetch (GetAllPapers) brings a new tree. At most one is under way. It belongs
//     to no caller, so a caller that stops waiting does not cancel it for the others.
//   - A local change (Create, Move, ChangeURL, SetPeriod, Delete) is sent to the service
//     and, once the service has confirmed it, applied to the current snapshot.
//
// The version of a node is known (not 0) only while no local change has replaced it without
// being told the new one.
//
// A fetch that started before a local change may or may not include it. Changes are
// therefore recorded while a fetch is under way, and applied to the tree that it
// brings. Applying a change twice has no further effect. Discarding the fetch instead
// would cost another request for each change, and a busy mount would never be
// refreshed. The price: if another client changes the same node during the fetch, our
// version is shown until the next fetch.
//
// A fetched tree shares text with the previous tree, and is the previous tree if
// nothing has changed: see newBuilder.
//
// Catalogue shares fetches itself and does not use those of cache/media/waiter: see fetches.
// FindID and FindURL use golang.org/x/sync/singleflight, because their requests are
// independent of when other requests started.
//
// Locks, in the order in which they may be taken:
//
//	turn     one local change at a time, held over its requests
//	install  one replacement of the current snapshot at a time, never held over a request
//	mu       small fields; never held over a request, a callback or a write to disk
//
// Changed is called from a separate goroutine that holds none of them.
package catalogue
