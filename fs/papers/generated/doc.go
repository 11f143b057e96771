// Package generated has what is shown for the categories and papers of the service and stands
// for no stored file: a directory tree that is made from answers, and values that are written
// in place.
//
//	nodes        the maker of all of it, and what each node is about
//	paper        what a paper's directory has of it: InPaper; address, url, publication, preview
//	category     what a category has and never lists: Hidden
//	namedvalues  settings/ and fields/
//	pages        pages/; walkers: who is shown only what is known
//	orders       orders/
//	statistics   statistics/
//	search       .search: the name of a query is decoded and checked; hits: what it has found
//	byid, byurl  by-id/ and by-url/; jobs: jobs/
//	path         where a link leads
//
// Nodes makes them when they are looked up, as directories, documents and values of package
// virtual, and keeps none. It knows the catalogue and the document cache, and nothing of what is
// written to papers/: source.pdf, temporary names and what is on its way are package papers'.
//
// Invariants: a list or a look-up asks the service nothing, but for pages, hits, by-id/, by-url/ and
// the names of settings and fields. What is written is checked before anything is asked.
//
// Locks: that of walkers is held for a moment, and no other lock is taken under it.
package generated
