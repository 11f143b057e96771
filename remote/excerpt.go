package remote

import (
	"bytes"
	"html"
	"io"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"paperfs/remote/rules"
	"paperfs/remote/xmlscan"
)

// maxHead is how many bytes of an answer the client keeps for errors. An error text shows
// at most maxExcerpt of them, and at most maxMessage of the service's own message.
const (
	maxHead    = 4096
	maxExcerpt = 300
	maxMessage = 1000
)

// record keeps the first bytes that are written to it.
type record struct {
	data []byte
	most int64
}

func (r *record) Write(p []byte) (int, error) {
	room := r.most - int64(len(r.data))
	r.data = append(r.data, p[:min(int64(len(p)), max(room, 0))]...)
	return len(p), nil
}

// excerpt returns the beginning of a foreign text as one line without credentials.
func (c *Client) excerpt(head []byte, most int) string {
	text := c.mask(string(head))
	if len(head) >= maxHead {
		// The cut may have left the beginning of a password, which mask cannot recognize.
		text = text[:max(0, len(text)-longestForm*max(len(c.password), len(c.username)))]
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

var htmlTitle = rules.Pattern(`(?is)<title[^>]*>([^<]*)`)

// brief returns an excerpt of a text that is not an answer of the service: of an HTML page
// its title, or its text if it has no title.
func (c *Client) brief(head []byte) string {
	if !looksLikeHTML(head) {
		return c.excerpt(head, maxExcerpt)
	}
	if title := htmlTitle().FindSubmatch(head); title != nil {
		return c.excerpt([]byte(html.UnescapeString(string(title[1]))), maxExcerpt)
	}
	return c.excerpt(htmlTag().ReplaceAll(head, []byte(" ")), maxExcerpt)
}

var htmlTag = rules.Pattern(`<[^>]*>?`)

// headOf returns an excerpt of an answer. raw is the part that head does not have yet.
func (c *Client) headOf(raw io.Reader, head *record) string {
	io.CopyN(io.Discard, raw, maxHead)
	return c.brief(head.data)
}

// longestForm is how much longer than itself a secret may be in an answer.
const longestForm = len("&quot;")

// leastName is the length of the shortest user name that mask removes: shorter ones occur
// in every text.
const leastName = 3

// leastSecret is the length of the shortest password that mask removes from a longer word.
const leastSecret = 8

// mask removes the credentials from a foreign text: a password wherever it is; a name, and a short password, only where it is a
// word, because the name ann is in "cannot".
func (c *Client) mask(text string) string {
	for i, secret := range []string{c.password, c.username} {
		if secret == "" || i == 1 && len(secret) < leastName {
			continue
		}
		for _, form := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret), xmlscan.Escape(secret)} {
			if i == 0 && len(secret) >= leastSecret {
				text = strings.ReplaceAll(text, form, "***")
			} else {
				text = maskWord(text, form)
			}
		}
	}
	return text
}

// escapedEnd matches an escaped character at the end, whose digits are of no word.
var escapedEnd = rules.Pattern(`%[0-9A-Fa-f]{2}$`)

// maskWord removes a word from a text, but not from longer words.
func maskWord(text, word string) (masked string) {
	for {
		before, after, found := strings.Cut(text, word)
		if masked += before; !found {
			return masked
		}
		if text = after; inOneWord(masked, word) && !escapedEnd().MatchString(masked) || inOneWord(word, after) {
			masked += word
		} else {
			masked += "***"
		}
	}
}

// inOneWord reports whether a word goes on from one text to the next.
func inOneWord(a, b string) bool {
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	return isOfWord(last) && isOfWord(first)
}

func isOfWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func looksLikeHTML(head []byte) bool {
	head = bytes.ToLower(trimStart(head[:min(len(head), 256)]))
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html"))
}

func looksLikeXML(head []byte) bool {
	return strings.HasPrefix(xmlscan.CharsetOf(head, ""), "utf-16") || bytes.HasPrefix(trimStart(head), []byte("<"))
}
