// Package inode has the attributes of inodes as the media store reports them: numbers, kinds,
// modes, times, and content digests. It has no state.
package inode
