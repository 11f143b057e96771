// Package reader serves browsers ([Reader.Serve]): the pages of papers and categories,
// the images of pages, the positions of their text, PDFs and media files. It takes
// orders and counts page views. None of that needs credentials.
//
// # Invariants
//
//   - A paper is shown only while its setting public is true and within its publication period, which one
//     function decides (visible), or with a preview token.
//     Otherwise its addresses answer like addresses that do not exist; only its page
//     answers an invalid token with 401, and says that a period has ended. What is not
//     published yet, or not public, cannot be told from what does not exist.
//
//   - A signed image address is enough to see the image, until it expires (package
//     address). An unsigned one works for clients that may see the paper now. What is seen of
//     an enlarged page (larger.go) is drawn in tiles when somebody asks for them, and only cached.
//
//   - A page costs a bounded amount of work ([ListingBounds], [PaperBounds]) and
//     of memory: it is written as it is read, through answer.Spool. What looks at all papers of a
//     category, or at the texts of one, waits for its turn (Reader.Searches).
//
//   - Whatever changes a page changes its ETag, so a browser loads a page once. Pages,
//     links and the media files that links lead to are part of the ETag through the
//     paper's edition (store.PageReader), so computing the ETag does not read them.
//
//   - Concurrent requests for a page share one rendering (shared.go). Neither a waiting
//     request nor a slow client holds a store transaction. Previews are not cached.
//
//   - An order is one store change. Names and prices of its products come from the
//     paper's links. Only a page of this host can send it. The service neither asks nor
//     records who orders. A second request with the same key is the same order: it can
//     change the checkout type and nothing else.
//
//   - Views are counted by paper, day and page, and clicks on links also by what the link
//     leads to. Nothing identifies the reader: there is no cookie, and a client address is
//     kept only for the minute of its rate limit.
//     Previews are not counted. Counting changes nothing that a page depends on. Only a
//     signed address shows views, which callers with credentials are told (statistics.go).
//
//   - Tenants' content cannot act as this host: a page runs only the service's own
//     scripts (view.Policy), links have harmless schemes only, media files are sandboxed.
//
// Package view writes the pages and has no access to the store. This package finds the
// content: paper.go, spot.go and link.go for papers, category.go and listing.go for
// categories, frame.go and brand.go for both, sitemap.go for search engines.
//
// order.go takes orders, shop.go hands them over to the shop.
//
// state.go says why there are no pages: not found, over, being processed, not now.
//
// hit.go takes page views and clicks, hitlink.go says what was clicked, hits.go keeps both in memory until they are written.
//
// A Reader does not change after its creation. The mutexes of OrderLimits, hitLimits and
// Hits are each taken alone, and not held during file or store access.
package reader
