package pdf

import (
	"encoding/binary"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"paperfs/remote/xmlscan"
)

// longestURI is the largest length of an address, in bytes.
const longestURI = 2000

var (
	scheme   = regexp.MustCompile(`^(?i)[a-z][a-z0-9+.-]*:`)
	web      = regexp.MustCompile(`^(?i)(https?):[/\\\\]*`)
	hostname = regexp.MustCompile(`^(?i)([\pL\pN-]+\.)+[\pL]{2,}(:\d+)?([/?#]|$)`)
	mailbox  = regexp.MustCompile(`^[^\s@/:?#]+@[^\s@/:?#]+\.[^\s@/:?#]+(\?|$)`)
	file     = regexp.MustCompile(`^(?i)[^/?#]*\.(pdf|html?|php|aspx?|docx?|xlsx?|pptx?|indd|jpe?g|png|txt|zip)([?#]|$)`)
)

// cleanURI returns an address as other readers take it, or "" if there is none: PDFs are not trusted. An address
// of a website or mailbox may lack its scheme. One that is relative to the PDF leads nowhere.
func cleanURI(s string) string {
	s = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, decoded(s)))
	s = strings.ReplaceAll(s, " ", "%20")
	switch {
	case web.MatchString(s):
		s = strings.ReplaceAll(web.ReplaceAllString(s, "$1://"), `\`, "/")
	case strings.HasPrefix(s, "//"):
		s = "http:" + s
	case mailbox.MatchString(s):
		s = "mailto:" + s
	case hostname.MatchString(s) && !file.MatchString(s):
		s = "http://" + s
	case !scheme.MatchString(s):
		return ""
	}
	if len(s) > longestURI || !xmlscan.Carries(s) {
		return ""
	}
	return s
}

// special are the characters from 0x80 on of PDFs' own encoding, which is Latin-1 otherwise.
var special = []rune("•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\ufffd€")

// decoded returns a PDF's text: UTF-16, UTF-8, or in the encoding of PDFs.
func decoded(s string) string {
	var order binary.ByteOrder
	switch {
	case strings.HasPrefix(s, "\xfe\xff"):
		order = binary.BigEndian
	case strings.HasPrefix(s, "\xff\xfe"):
		order = binary.LittleEndian
	case utf8.ValidString(s):
		return strings.TrimPrefix(s, "\ufeff")
	default:
		var b strings.Builder
		for i := range len(s) {
			r := rune(s[i])
			if r >= 0x80 && int(r-0x80) < len(special) {
				r = special[r-0x80]
			}
			b.WriteRune(r)
		}
		return b.String()
	}
	var units []uint16
	for at := 2; at+1 < len(s); at += 2 {
		units = append(units, order.Uint16([]byte(s[at:at+2])))
	}
	return string(utf16.Decode(units))
}
