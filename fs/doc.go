// Package fs mounts the service as a directory tree that any program can use.
//
//	papers/    the catalogue (package papers)
//	by-id/     symlinks into papers/ (package papers/generated)
//	by-url/    the same by address (the same package)
//	jobs/      processing jobs (the same package)
//	media/     the media store (package media)
//	.paperfs/  the state of the mount, and its controls (package control)
//
// The root also holds README.txt and setting-descriptions.xml. [Mount] puts the tree
// together and serves it; [Hooks] is what .paperfs/ may ask of it. scan.go lets the
// kernel read directories without opening them. The other packages below share these:
// errno maps failures to errnos and records them in words, inode has what every
// node needs (a number, listings, notices), virtual has the building blocks
// of generated files, and caller waits for the calling program or detects that it is
// dying.
//
// Imports point one way: fs calls cache, which calls the service. No package here builds
// a request.
//
// The only lock is that of scans. It is held while go-fuse releases a directory handle.
package fs
