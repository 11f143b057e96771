package remote

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/url"
	"strings"
	"unicode"
)

// maxHead is how much of an answer is kept to look into, maxExcerpt how much
// of that goes into an error text.
const (
	maxHead    = 4096
	maxExcerpt = 300
)

// record keeps the first bytes of what is written to it.
type record struct {
	data []byte
	most int64
}

func (r *record) Write(p []byte) (int, error) {
	room := r.most - int64(len(r.data))
	r.data = append(r.data, p[:min(int64(len(p)), max(room, 0))]...)
	return len(p), nil
}

// excerpt gives the begin of a strange answer as one line without credentials.
func (c *Client) excerpt(head []byte) string {
	text := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(c.mask(string(head)), "?"))
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxExcerpt {
		text = strings.ToValidUTF8(text[:maxExcerpt], "") + "…"
	}
	return text
}

func looksLikeHTML(head []byte) bool {
	head = bytes.ToLower(trimStart(head[:min(len(head), 256)]))
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html"))
}

func looksLikeXML(head []byte) bool {
	switch charsetOf(head, "") {
	case "utf-16le", "utf-16be":
		return true
	}
	return bytes.HasPrefix(trimStart(head), []byte("<"))
}

// plain takes the address off a transport's error: the operation says as much.
func plain(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// lasting holds for failures to connect that do not pass by themselves within
// a call: an unknown name, a certificate that is not trusted.
func lasting(err error) bool {
	var name *net.DNSError
	if errors.As(err, &name) {
		return name.IsNotFound
	}
	var verify *tls.CertificateVerificationError
	var header tls.RecordHeaderError
	var authority x509.UnknownAuthorityError
	return errors.As(err, &verify) || errors.As(err, &header) || errors.As(err, &authority)
}
