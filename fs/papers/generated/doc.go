// Package generated implements the nodes that stand for no stored file: directories and
// documents built from the service's answers, and values that programs write in place.
//
//	nodes        creates all of them, and describes what each is about
//	paper        generated files in a paper's directory: InPaper; address, url, publication, preview
//	category     a category's directories that are never listed: Hidden
//	namedvalues  settings/ and fields/
//	pages        pages/; walkers: which processes are refused what is not cached
//	orders       orders/
//	statistics   statistics/
//	search       .search: decodes and checks the name of a query; hits: its results
//	byid, byurl  by-id/ and by-url/; jobs: jobs/
//	path         targets of symlinks
//	period       publication periods, ISO 8601 intervals with an exclusive end, calendar days of the mount's zone
//	fieldsearch  names of searches on custom fields
//
// Nodes creates them on lookup, as directories, documents and values of package virtual,
// and keeps none. It knows the catalogue and the document cache, but nothing that programs
// write to papers/: source.pdf, temporary names and pending PDFs belong to package papers.
//
// Invariants: a listing or a lookup makes no request, except for pages, hits, by-id/,
// by-url/ and the names of settings and fields. Written values are checked before any
// request.
//
// Locks: walkers.mu is held for a moment, and no other lock is taken while it is held.
package generated
