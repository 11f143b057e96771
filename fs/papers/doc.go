// Package papers has the nodes of papers/, by-id/, by-url/ and jobs/: what the
// kernel asks of them, answered in terms of the catalogue and the library.
//
// A category is the one node type of its own here. A paper, and everything in
// it, is generated: directories of package virtual whose Source says what is
// in them. Listing and stat answer from the catalogue alone; what can only be
// known by asking about one paper is asked when its file is opened.
package papers
