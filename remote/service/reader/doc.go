// Package reader serves what people read in a browser: the page of a paper or
// category, the images of pages, and media files ([Reader.Serve]). None of them
// needs credentials.
//
// # Invariants
//
//   - A paper is shown within its publication period, or with a preview token;
//     otherwise nothing of it can be told from an address that does not exist.
//
//   - The address of an image is signed (package address), so that images of
//     unpublished pages cannot be guessed.
//
//   - A page costs a bounded amount of work ([ListingBounds], [PaperBounds]) and
//     of memory: it is written as it is read, through answer.Spool.
//
//   - What tenants upload never acts in the name of the host: the page allows no
//     scripts, a media file is in a sandbox.
//
// A Reader is not changed after it was made, so there are no locks.
package reader
