// Package view writes the HTML pages of the reader: a paper with pages to turn ([Paper.Write]),
// a category as a shelf of covers ([Shelf.Write]), a receipt ([Receipt.Write]) and what is
// said where no pages can be shown ([State.Write]). It accesses neither the store nor the request: its
// input is a struct.
//
// # Invariants
//
//   - A page is complete without scripts: its markup has the pictures, links and texts, and
//     links to all of them. Scripts add convenience, never content.
//
//   - The markup contains no script or event handler, and no style but the publisher's colours
//     ([Frame.Style]), so the policy of a page ([Policy]) forbids all others. It allows the files
//     that [Asset] returns, whose names change with their content. What a page says to search
//     engines ([Paper.About]) is data that no browser runs.
//
//   - Text is legible in any colour that a publisher sets (colour.go).
//
//   - Picture and hotspots of a page fill the same box in the same way: object-fit and
//     preserveAspectRatio must match (reader.css, article.go).
//
//   - Foreign text cannot end an element or attribute: pages are constant forms with holes, and [Markup.Add] escapes
//     what fills a hole for its place. The compiler takes no other string for markup ([HTML]).
//
//   - No page is written by text/template or html/template: the program would have all methods of all types.
//
//   - Foreign text cannot reorder the text around it: it is isolated and takes the direction
//     of its first strong letter (dir="auto", bdi).
//
//   - Every text of the pages exists in each of [Languages], which are the files of the folder language:
//     a translator copies en.json, and a test says what is missing. Sentences about a number have a form
//     for each plural category of the language.
//
// The package has no mutable state, so there are no locks.
package view
