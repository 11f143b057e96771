// Package ask has the commands that ask a living mount: status, stat, url, open,
// why, refresh, wait, retry and discard. All go through the mount's files in
// .paperfs, which package fs/control serves.
package ask
