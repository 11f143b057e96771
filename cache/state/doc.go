// Package state keeps what has to outlive a mount: one directory and one
// SQLite database for each account of a service, held by one mount at a time.
//
// The directory lies under the XDG state directory and holds every byte that
// may not be at the service yet. What can be fetched again belongs under the
// cache directory (State.CacheDir).
package state
