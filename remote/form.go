package remote

import (
	"fmt"
	"unicode/utf8"
)

const upperHex = "0123456789ABCDEF"

// unreserved are the bytes that need no escape in a form body.
var unreserved = func() (t [utf8.RuneSelf * 2]bool) {
	for b := range t {
		t[b] = b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' ||
			b == '-' || b == '_' || b == '.' || b == '~'
	}
	return t
}()

// appendPair appends name=value to a form body.
func appendPair(body []byte, name, value string) []byte {
	if len(body) > 0 {
		body = append(body, '&')
	}
	body = append(body, name...)
	body = append(body, '=')
	return appendEscaped(body, value, &unreserved)
}

// appendEscaped appends value in application/x-www-form-urlencoded form, but for plain characters.
func appendEscaped[T string | []byte](body []byte, value T, plain *[256]bool) []byte {
	for {
		n := 0
		for n < len(value) && plain[value[n]] {
			n++
		}
		body = append(body, value[:n]...)
		if n == len(value) {
			return body
		}
		if c := value[n]; c == ' ' {
			body = append(body, '+')
		} else {
			body = append(body, '%', upperHex[c>>4], upperHex[c&15])
		}
		value = value[n+1:]
	}
}

// fields calls add with each parameter of a call but a bulk one. The credentials come first, so that a service
// can check them before anything else, then the parameters in the table's order, and the request's own.
func (c *Client) fields(r *request, add func(name, value string)) {
	pairs := []Pair{r.op.Pair}
	if r.op.Extended {
		pairs = []Pair{PL, Plain}
	}
	for _, pair := range pairs {
		add(pair.Username, c.username)
		add(pair.Password, c.password)
	}
	for i, name := range r.op.Params {
		if name != r.op.Bulk {
			add(name, r.params[i])
		}
	}
	for i := 0; i < len(r.own); i += 2 {
		add(r.own[i], r.own[i+1])
	}
}

// form returns a body in application/x-www-form-urlencoded form, up to the content.
func (c *Client) form(r *request) []byte {
	body := make([]byte, 0, 256)
	c.fields(r, func(name, value string) { body = appendPair(body, name, value) })
	if r.op.Bulk != "" {
		body = appendPair(body, r.op.Bulk, "")
	}
	return body
}

// multipart returns what precedes and follows the content in a body of multipart/form-data.
func (c *Client) multipart(r *request, boundary string) (head, tail []byte) {
	c.fields(r, func(name, value string) {
		head = fmt.Appendf(head, "--%s\r\nContent-Disposition: form-data; name=%q\r\n\r\n%s\r\n", boundary, name, value)
	})
	head = fmt.Appendf(head, "--%s\r\nContent-Disposition: form-data; name=%q; filename=\"content\"\r\nContent-Type: application/octet-stream\r\n\r\n", boundary, r.op.Bulk)
	return head, fmt.Appendf(nil, "\r\n--%s--\r\n", boundary)
}
