// Package inode is what the media store tells of an inode: its number, kind, attributes,
// times, and the digest of its content.
package inode
