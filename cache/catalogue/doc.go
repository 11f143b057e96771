// Package catalogue keeps the tree of categories and papers as the service
// told it, so that looking at it costs no request.
//
// A Snapshot is the whole tree at one moment; it never changes, so it is read
// without locks. The Catalogue has a current one and replaces it in two ways:
//
//   - A fetch (GetAllPapers) brings a new tree. At most one is under way; it
//     belongs to no caller, so one that stops waiting does not end it for the others.
//   - A change made here (Create, Move, ChangeURL, SetPeriod, Delete) is sent,
//     and when the service has confirmed it, applied to the current snapshot.
//
// A fetch that began before one of our own changes may or may not include it.
// Changes are therefore recorded while a fetch is under way, and applied to the tree
// that it brings. Applying a change twice does nothing. To discard the fetch instead
// would cost another request for each change, and a busy mount would never be
// refreshed. The price: if another client changes the same node during the fetch, our
// version is shown until the next fetch.
//
// A fetched tree shares text with the tree before it, and is the same tree if nothing
// has changed: see newBuilder.
//
// Locks, in the order in which they may be taken:
//
//	turn     one change of our own at a time, held over its requests
//	install  one replacement of the current snapshot at a time, never over a request
//	mu       small fields; never over a request, a callback or a write to disk
//
// Changed is called from a goroutine of its own that holds none of them.
package catalogue
