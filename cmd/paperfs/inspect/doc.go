// Package inspect has the commands on a mounted tree: status, stat, url, open, why, refresh,
// wait, retry and discard, one file for each. All use the files of a mount in .paperfs, which package
// fs/control provides; a mounted is a mount whose files they read and write.
//
// A mount may not answer. So package serving runs each command in a process that can be abandoned.
// open runs url in one, and starts the browser itself.
package inspect
