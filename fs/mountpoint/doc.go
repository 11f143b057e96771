// Package mountpoint knows about the place a mount is at: whether one may be
// put there, which one a path lies in, and how one is taken away.
//
// Nothing here opens, lists or stats a path inside a living mount, so the
// process that serves it may use all of it.
package mountpoint
