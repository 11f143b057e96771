// Package view writes the pages that people read: a paper as a reader that
// turns its pages ([Paper.Write]), a category as a shelf of covers ([Shelf.Write]). It knows
// no store and no request: what it shows comes in a struct, as it is read.
//
// # Invariants
//
//   - A page is complete without scripts: pictures, links, texts and the way to
//     each of them are in its markup. Scripts add comfort, never content.
//
//   - There is no script, no style and no event handler in the markup, so the
//     policy of a page ([Policy]) allows none; [Asset] finds the files that it does
//     allow, under names that change with their content.
//
//   - Picture and hotspots of a page fill the same box in the same way:
//     object-fit and preserveAspectRatio are chosen together (reader.css, article.go).
//
//   - What others wrote ends no element and no attribute: templates escape it, and in the
//     articles of pages, which are code because there are many, markup.text and
//     markup.address do.
//
//   - What others wrote scrambles nothing beside it: it is isolated, and read in the direction of
//     its first letter (dir="auto", bdi).
//
//   - Every text that is shown is in each language of [Languages].
//
// Nothing here changes after the start of the program, so there are no locks.
package view
