package tree

import (
	"math"
	"strconv"
	"strings"
	"unique"

	"paperfs/cache/media/inode"
)

// Version is a file's content as the service has it.
type Version struct {
	ID      int64        // 0: the service has none
	Size    int64        // exact bytes, -1 where unknown
	KB      int64        // as the service tells it, -1 where it does not
	SHA256  inode.Digest // zero where unknown
	URL     Address
	ModTime inode.Instant
}

// Gone reports whether v was at the service, and others deleted it.
func (v Version) Gone() bool { return v.ID == 0 && v != (Version{}) }

// Differs reports whether v is other content, as far as can be told.
func (known Version) Differs(v Version) bool {
	switch {
	case known.SHA256.Known() && v.SHA256.Known():
		return known.SHA256 != v.SHA256
	case known.Size >= 0 && v.Size >= 0:
		return known.Size != v.Size
	case known.KB < 0 || v.KB < 0:
		return false // nothing tells
	case known.Size >= 0:
		return !fitsKB(known.Size, v.KB)
	}
	return known.KB != v.KB
}

// Merge adds what v tells beyond what is known of the same content.
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
	return known
}

// Most is how many bytes the content can have, as far as the service tells;
// -1 where it does not.
func (v Version) Most() int64 {
	switch {
	case v.Size >= 0:
		return v.Size
	case v.KB >= 0 && v.KB < math.MaxInt64>>10:
		return v.KB<<10 + 1023
	}
	return -1
}

// fitsKB reports whether a size can be told as kb: how the service rounds, and
// whether its KB has 1,000 bytes or 1,024, is not documented.
func fitsKB(size, kb int64) bool {
	return kb >= size/1024 && kb <= (size+999)/1000
}

// Address is where a file's content can be had, zero where the service does not
// tell. Most addresses of a service begin alike and end with the file's id and
// name: the beginning is kept once for all, and the name may be the node's.
type Address struct {
	base unique.Handle[string] // what comes before "/ID/"; zero where rest is all
	rest string
}

// AddressOf keeps the address of the file with an id, which may be called name.
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

func (a Address) Known() bool { return a != Address{} }

// Address is the whole of v's address, empty where there is none.
func (v Version) Address() string { return string(v.AppendAddress(nil)) }

func (v Version) AppendAddress(to []byte) []byte {
	if v.URL.base != (unique.Handle[string]{}) {
		to = idPart(append(to, v.URL.base.Value()...), v.ID)
	}
	return append(to, v.URL.rest...)
}
