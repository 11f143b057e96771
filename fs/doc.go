// Package fs is the mount: it shows the service to the kernel, and so to any
// program, as a directory tree.
//
//	papers/    the catalogue (package papers)
//	by-id/     symlinks into papers/ (package papers/generated)
//	by-url/    the same by address (the same package)
//	jobs/      processing jobs (the same package)
//	media/     the media store (package media)
//	.paperfs/  what goes on here (package control)
//
// and two files. This package puts the tree together and serves it; it lets the
// kernel read directories without opening them (scan.go). The packages below fill the
// tree. errno turns failures into errnos and records them in words, inode numbers
// every node, listing reads an opened directory from any position, virtual has the
// building blocks of generated files, and caller waits for the calling program or
// finds out that it is dying.
//
// Imports point one way: fs asks cache, which stands in front of the service.
// Nothing here builds a request.
package fs
