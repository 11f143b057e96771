package form

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// JSONError is a body that is not a JSON object of parameters.
type JSONError struct{ Words string }

func (e *JSONError) Error() string { return e.Words }

func jsonError(format string, args ...any) error { return &JSONError{fmt.Sprintf(format, args...)} }

// maxLiteral is the longest number.
const maxLiteral = 1 << 10

// jsonPiece is how many bytes of a text become one piece of the form.
const jsonPiece = 1 << 10

// FromJSON returns a reader of a JSON object as the body of a form. The object's members are parameters: text, or a
// number, true or false, which become the text that stands there. A null counts as not given. None of names may be
// given twice. Errors are a *JSONError, or those of r.
func FromJSON(r io.Reader, names []string) io.Reader {
	j := &jsonBody{r: bufio.NewReaderSize(r, smallBuffer), names: names, given: map[string]bool{}}
	j.next = j.begin
	return j
}

// jsonBody holds one piece of text at a time.
type jsonBody struct {
	r     *bufio.Reader
	next  func() error // reads the next part
	names []string
	given map[string]bool // of names
	piece []byte
	rest  []byte // of piece
	err   error
}

func (j *jsonBody) Read(p []byte) (int, error) {
	for len(j.rest) == 0 {
		if j.err != nil {
			return 0, j.err
		}
		j.piece = j.piece[:0]
		j.err = j.next()
		j.rest = j.piece
	}
	n := copy(p, j.rest)
	j.rest = j.rest[n:]
	return n, nil
}

func (j *jsonBody) begin() error {
	c, err := j.byte()
	if err != nil {
		return err
	}
	if c != '{' {
		return jsonError("it has to be an object, as {\"paperID\": \"7\"}")
	}
	if c, err = j.byte(); err != nil {
		return err
	}
	if c == '}' {
		j.next = j.end
		return nil
	}
	return j.member(c)
}

// member reads a name and what begins its value; c is the first character.
func (j *jsonBody) member(c byte) error {
	if c != '"' {
		return jsonError("%q stands where the name of a parameter is to begin", c)
	}
	name, ended, err := j.text(maxName)
	if err != nil {
		return err
	}
	if !ended {
		return jsonError("a name is longer than %d bytes", maxName)
	}
	if j.given[name] {
		return jsonError("%s is there twice", name)
	}
	if slices.ContainsFunc(j.names, func(n string) bool { return strings.EqualFold(n, name) }) {
		j.given[name] = true
	}
	if c, err = j.byte(); err != nil {
		return err
	}
	if c != ':' {
		return jsonError("%q stands where a colon has to", c)
	}
	if c, err = j.byte(); err != nil {
		return err
	}
	switch c {
	case '{', '[':
		return jsonError("%s has more than one value in it: a parameter is text, a number, true or false", name)
	case '"':
		j.begun(name)
		j.next = j.textPiece
		return nil
	}
	j.next = j.after
	return j.literal(name, c)
}

func (j *jsonBody) begun(name string) {
	j.piece = append(append(append(j.piece, '&'), url.QueryEscape(name)...), '=')
}

// textPiece passes a part of a text on.
func (j *jsonBody) textPiece() error {
	text, ended, err := j.text(jsonPiece)
	j.piece = append(j.piece, url.QueryEscape(text)...)
	if ended {
		j.next = j.after
	}
	return err
}

// literal reads a number, true, false or null that begins with c.
func (j *jsonBody) literal(name string, c byte) error {
	text := []byte{c}
	for {
		c, err := j.r.ReadByte()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if bytes.IndexByte([]byte(" \t\r\n,}"), c) >= 0 {
			_ = j.r.UnreadByte()
			break
		}
		if text = append(text, c); len(text) > maxLiteral {
			break
		}
	}
	if len(text) > maxLiteral || !json.Valid(text) {
		return jsonError("the value of %s is neither text nor a number, true, false or null", name)
	}
	if string(text) != "null" {
		j.begun(name)
		j.piece = append(j.piece, url.QueryEscape(string(text))...)
	}
	return nil
}

// after reads what follows a value.
func (j *jsonBody) after() error {
	c, err := j.byte()
	if err != nil {
		return err
	}
	switch c {
	case '}':
		j.next = j.end
		return nil
	case ',':
		if c, err = j.byte(); err != nil {
			return err
		}
		return j.member(c)
	}
	return jsonError("%q stands where a comma or the end has to", c)
}

func (j *jsonBody) end() error {
	c, err := j.byte()
	if short := (*JSONError)(nil); errors.As(err, &short) {
		return io.EOF
	}
	if err != nil {
		return err
	}
	return jsonError("%q follows the object", c)
}

// byte reads the first byte after blanks.
func (j *jsonBody) byte() (byte, error) {
	for {
		c, err := j.r.ReadByte()
		if err != nil {
			return 0, early(err)
		}
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return c, nil
		}
	}
}

func early(err error) error {
	if err == io.EOF {
		return jsonError("it ends early")
	}
	return err
}

// text reads a text up to its quote, or a part of it with a few more bytes than most.
func (j *jsonBody) text(most int) (text string, ended bool, err error) {
	var b []byte
	for len(b) <= most {
		c, err := j.r.ReadByte()
		switch {
		case err != nil:
			return "", false, early(err)
		case c == '"':
			return string(b), true, nil
		case c < ' ':
			return "", false, jsonError("a control character stands in a text without an escape")
		case c != '\\':
			b = append(b, c)
		default:
			r, err := j.escape()
			if err != nil {
				return "", false, err
			}
			b = utf8.AppendRune(b, r)
		}
	}
	return string(b), false, nil
}

var jsonEscapes = map[byte]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape reads what follows a backslash, and the second half of a pair.
func (j *jsonBody) escape() (rune, error) {
	c, err := j.r.ReadByte()
	if err != nil {
		return 0, early(err)
	}
	if c != 'u' {
		r, known := jsonEscapes[c]
		if !known {
			return 0, jsonError("\\%s is no escape", url.PathEscape(string(rune(c))))
		}
		return r, nil
	}
	r, err := j.hex()
	if err != nil || !utf16.IsSurrogate(r) {
		return r, err
	}
	const half = "an escape is half a character"
	if next, err := j.r.Peek(2); err != nil || string(next) != `\u` {
		return 0, jsonError(half)
	}
	_, _ = j.r.Discard(2)
	second, err := j.hex()
	if err != nil {
		return 0, err
	}
	if r = utf16.DecodeRune(r, second); r == utf8.RuneError {
		return 0, jsonError(half)
	}
	return r, nil
}

// hex reads the four digits of an escape.
func (j *jsonBody) hex() (r rune, err error) {
	for range 4 {
		c, err := j.r.ReadByte()
		if err != nil {
			return 0, early(err)
		}
		if !isHex(c) {
			return 0, jsonError("an escape has to have four digits")
		}
		r = r<<4 | rune(unhex(c))
	}
	return r, nil
}
