package remote

import "encoding/base64"

// escaping has the characters of base64 that stay as they are in a form; nil for content that goes raw. A + never
// does, because it means a blank. A / and a = do for parsers that follow the URL standard.
type escaping *[256]bool

var (
	plusAlone = func() escaping {
		t := unreserved
		t['/'], t['='] = true, true
		return &t
	}()
	allThree = escaping(&unreserved)
)

// appendBase64 appends src, at most a block, to a form body as base64.
func (b *block) appendBase64(body, src []byte, e escaping) []byte {
	digits := b.digits[:base64.StdEncoding.EncodedLen(len(src))]
	base64.StdEncoding.Encode(digits, src)
	return appendEscaped(body, digits, e)
}
