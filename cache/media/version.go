package media

import (
	"math"
	"strconv"
	"strings"
	"unique"

	"paperfs/cache/media/inode"
)

// version is a file's content as the service holds it.
type version struct {
	id      int64  // 0: the service has none
	size    int64  // exact bytes, -1 where unknown
	kb      int64  // as the service tells it, -1 where it does not
	sha256  Digest // zero where unknown
	url     address
	modTime inode.Instant
}

// gone reports whether v was at the service, and others deleted it.
func (v version) gone() bool { return v.id == 0 && v != (version{}) }

// differs reports whether v is other content, as far as can be told.
func (known version) differs(v version) bool {
	switch {
	case known.sha256.Known() && v.sha256.Known():
		return known.sha256 != v.sha256
	case known.size >= 0 && v.size >= 0:
		return known.size != v.size
	case known.kb < 0 || v.kb < 0:
		return false // nothing tells
	case known.size >= 0:
		return !fitsKB(known.size, v.kb)
	}
	return known.kb != v.kb
}

// merge adds what v tells beyond what is known of the same content.
func (known version) merge(v version) version {
	if v.kb >= 0 {
		known.kb = v.kb
	}
	if v.url.known() {
		known.url = v.url
	}
	if known.size < 0 {
		known.size = v.size
	}
	if !known.sha256.Known() {
		known.sha256 = v.sha256
	}
	return known
}

// most is how many bytes the content can have, as far as the service tells;
// -1 where it does not.
func (v version) most() int64 {
	switch {
	case v.size >= 0:
		return v.size
	case v.kb >= 0 && v.kb < math.MaxInt64>>10:
		return v.kb<<10 + 1023
	}
	return -1
}

// fitsKB reports whether a size can be told as kb: how the service rounds, and
// whether its KB has 1,000 bytes or 1,024, is not documented.
func fitsKB(size, kb int64) bool {
	return kb >= size/1024 && kb <= (size+999)/1000
}

// address is where a file's content can be had, zero where the service does not
// tell. Most addresses of a service begin alike and end with the file's id and
// name: the beginning is kept once for all, and the name may be the node's.
type address struct {
	base unique.Handle[string] // what comes before "/ID/"; zero where rest is all
	rest string
}

// addressOf keeps the address of the file with an id, which may be called name.
func addressOf(url string, id int64, name string) address {
	base, rest, found := strings.Cut(url, string(idPart(make([]byte, 0, 24), id)))
	if !found {
		return address{rest: url}
	}
	if rest != name {
		name = strings.Clone(rest)
	}
	return address{unique.Make(base), name}
}

func idPart(to []byte, id int64) []byte {
	return append(strconv.AppendInt(append(to, '/'), id, 10), '/')
}

func (a address) known() bool { return a != address{} }

// address is the whole of v's address, empty where there is none.
func (v version) address() string { return string(v.appendAddress(nil)) }

func (v version) appendAddress(to []byte) []byte {
	if v.url.base != (unique.Handle[string]{}) {
		to = idPart(append(to, v.url.base.Value()...), v.id)
	}
	return append(to, v.url.rest...)
}
