package tree

import (
	"math"
	"net/url"
	"strconv"
	"strings"
	"unique"

	"paperfs/cache/content/inode"
	"paperfs/remote"
)

// Version is a file's content at the service.
type Version struct {
	ID      int64        // 0: the service does not have the file
	Size    int64        // exact, in bytes; -1 if unknown
	KB      int64        // as the service reports it; -1 if it does not
	SHA256  inode.Digest // zero if unknown
	URL     Address
	ModTime inode.Instant
	Mark    remote.Version // what the service calls it; 0 if it tells none, or since the mount began
}

// Differs reports whether v is known to be other content.
func (known Version) Differs(v Version) bool {
	switch {
	case known.SHA256.Known() && v.SHA256.Known():
		return known.SHA256 != v.SHA256
	case known.Size >= 0 && v.Size >= 0:
		return known.Size != v.Size
	case known.KB < 0 || v.KB < 0:
		return false // unknown
	case known.Size >= 0:
		// How the service rounds a size, and whether its KB has 1,000 or 1,024 bytes, is not documented.
		return v.KB < known.Size/1024 || v.KB > (known.Size+999)/1000
	}
	return known.KB != v.KB
}

// Merge adds to known what v says about the same content.
func (known Version) Merge(v Version) Version {
	if v.KB >= 0 {
		known.KB = v.KB
	}
	if v.URL.Known() {
		known.URL = v.URL
	}
	if known.Size < 0 {
		known.Size = v.Size
	}
	if !known.SHA256.Known() {
		known.SHA256 = v.SHA256
	}
	if v.Mark != 0 {
		known.Mark = v.Mark
	}
	return known
}

// Most returns the maximum size in bytes according to the service, or -1.
func (v Version) Most() int64 {
	switch {
	case v.Size >= 0:
		return v.Size
	case v.KB >= 0 && v.KB < math.MaxInt64>>10:
		return v.KB<<10 + 1023
	}
	return -1
}

// Address is the address of a file's content, zero if unknown. Most addresses of a service have
// the same prefix and end with the file's id and name. The prefix is stored once, and rest may
// share the node's name.
type Address struct {
	base unique.Handle[string] // the part before "/ID/"; zero if rest is the whole address
	rest string
}

// AddressOf stores the address of the file with an id, whose name is probably name.
func AddressOf(url string, id int64, name string) Address {
	base, rest, found := strings.Cut(url, string(idPart(make([]byte, 0, 24), id)))
	if !found {
		return Address{rest: url}
	}
	if rest != name {
		name = strings.Clone(rest)
	}
	return Address{unique.Make(base), name}
}

func idPart(to []byte, id int64) []byte {
	return append(strconv.AppendInt(append(to, '/'), id, 10), '/')
}

// Of returns the address after the file got another name, at a service that can rename: there an
// address ends with the file's id and its name.
func (a Address) Of(name string) Address {
	if a.base != (unique.Handle[string]{}) {
		a.rest = url.PathEscape(name)
	}
	return a
}

func (a Address) Known() bool { return a != Address{} }

// Address returns v's whole address, "" if there is none.
func (v Version) Address() string { return string(v.AppendAddress(nil)) }

func (v Version) AppendAddress(to []byte) []byte {
	if v.URL.base != (unique.Handle[string]{}) {
		to = idPart(append(to, v.URL.base.Value()...), v.ID)
	}
	return append(to, v.URL.rest...)
}
