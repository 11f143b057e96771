// Package handle has the open files of media/, and what a close does.
//
// A Handle reads and writes (handle, write). Its close (close: Flush) publishes or queues what was written through it, and says
// why not if it does neither. After the last release, finalize moves the content to where it belongs: the cache, the queue or
// failed/.
package handle
