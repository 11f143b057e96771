// Package inspect has the commands on a mounted tree: status, stat, url, open, why, refresh,
// wait, retry and discard. All use the mount's files in .paperfs, which package fs/control
// provides.
package inspect
