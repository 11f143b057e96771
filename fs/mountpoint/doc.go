// Package mountpoint knows about the place a mount is at: whether one may be
// put there, which one a path lies in, who holds it, and how one is taken away.
//
// Nothing but Prepare, which comes before a mount, asks anything of a path
// inside a living one, so the process that serves it may use the rest.
package mountpoint
