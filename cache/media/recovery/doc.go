// Package recovery decides what becomes of what an earlier run left: load reads its rows, copy the copies of queued content, recover
// and pdf give each spool to its inode, to the queue, to the cache or to failed/. rescue does the same for a state that another
// program took away under the mount, and for a queue whose service has other data now.
package recovery
