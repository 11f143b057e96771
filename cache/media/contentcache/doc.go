// Package contentcache keeps published content for reading, by its SHA-256, in files of
// the cache directory.
//
// A Cache has a limit and leaves the disk its reserve: what nobody has used for longest
// goes first. What is open, and the PDF that was last sent for a paper, is pinned: it is
// taken out of the LRU, so nothing evicts it. What comes from the service is received
// beside the content and renamed into its place; nothing is synced, since all of it can
// be had again, and what an earlier run left is verified when it is first read.
//
// Cache.mu is the lock Contents, see package lock; under it files are only removed and
// touched.
package contentcache
