// Package contentcache caches published content for reading, by SHA-256, in files of the cache
// directory.
//
// A Cache has a limit and leaves the disk its reserve; it evicts the least recently used
// content first. Open content, and the PDF last sent for a paper, is pinned: it is not in the
// LRU, so it is never evicted. Downloads are received in a separate directory and renamed into
// place. Nothing is synced, since everything can be fetched again; content of an earlier run is
// verified on its first read.
//
// Cache.mu is the lock Contents (see package lock). Under it, files are only removed and
// touched.
package contentcache
