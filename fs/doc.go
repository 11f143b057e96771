// Package fs is the mount: the directory tree in which the kernel, and so any
// program, meets the service.
//
//	papers/    the catalogue (package papers)
//	by-id/     symlinks into papers/ (package papers)
//	by-url/    the same by address (package papers)
//	jobs/      processing jobs (package papers)
//	media/     the media store (package media)
//	.paperfs/  what goes on here (package control)
//
// and two files. This package puts them together and serves them, with
// directories that are read without being opened (scans); what is in them is
// in the packages below. errno turns failures into what the kernel
// understands and tells them in words, inode numbers everything, listing reads an
// opened directory from any position, virtual has the building blocks of generated
// files, caller waits for a caller or finds out that it is dying.
//
// Imports point one way: fs asks cache, which stands in front of the service.
// Nothing here builds a request.
package fs
