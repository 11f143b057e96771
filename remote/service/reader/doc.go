// Package reader serves what people read in a browser: the page of a paper or
// category, the images of pages, where the text of pages lies, and media files
// ([Reader.Serve]), takes what they order, and counts what
// they look at. None of that needs credentials.
//
// # Invariants
//
//   - A paper is shown within its publication period, or with a preview token;
//     otherwise nothing of it can be told from an address that does not exist.
//
//   - A signed address of an image is enough to see it, for a time (package address);
//     one without a signature is for those who may see its paper now.
//
//   - A page costs a bounded amount of work ([ListingBounds], [PaperBounds]) and
//     of memory: it is written as it is read, through answer.Spool.
//
//   - Whatever a page depends on is in its validator, so that a browser asks for a
//     page once: whatever changes the page changes its ETag. Pages, links and the media
//     files that they lead to are in it as the paper's edition (store.PageReader), so
//     that it takes no reading of them.
//
//   - Many readers of a page are one rendering (shared.go). Whoever waits for it holds
//     nothing of the store, and whoever reads it slowly neither. Previews are not kept.
//
//   - An order is one change. Names and prices of its products come from the paper's
//     links. Only a page of this host can send it. The service neither asks nor keeps who
//     orders. The same key is the same order: sent again, it can change the checkout type
//     and nothing else.
//
//   - What is looked at is counted by paper, day and page, and nothing is kept of who
//     looked: no cookie, and an address for the minute of its limit. Previews are not
//     counted. Counting changes nothing that a page depends on.
//
//   - What tenants upload never acts in the name of the host: a page runs the
//     service's own scripts alone (view.Policy), a link has a scheme that is known to
//     be harmless, a media file is in a sandbox.
//
// Package view writes the pages: it knows no store. Here is what it shows: paper.go,
// spot.go and link.go for papers, category.go for categories, frame.go for both.
//
// order.go takes orders, shop.go says how they are handed over.
//
// hit.go takes what readers looked at, hits.go has it in memory until it is written.
//
// A Reader is not changed after it was made. The mutexes of OrderLimits, hitLimits and Hits
// are taken alone, and held for no file and no change of the store.
package reader
