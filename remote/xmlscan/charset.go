package xmlscan

import (
	"bufio"
	"bytes"
	"io"
	"mime"
	"strings"

	"golang.org/x/net/html/charset"
)

// declarationSize is how many bytes of an answer Decode searches for its declaration.
const declarationSize = 1024

// Decode converts an answer to UTF-8. The character set is that of the byte order mark,
// else of the XML declaration, else of the Content-Type, else UTF-8 (contract, 1.6).
func Decode(r io.Reader, contentType string) (io.Reader, error) {
	buffered, label := Label(r, contentType)
	return DecodeLabelled(buffered, label)
}

// Label finds the character set of a text.
func Label(r io.Reader, contentType string) (text io.Reader, label string) {
	buffered := bufio.NewReaderSize(r, declarationSize)
	// The returned reader fails with the same error.
	head, _ := buffered.Peek(declarationSize)
	return buffered, CharsetOf(head, contentType)
}

// DecodeLabelled converts a text of a named character set to UTF-8.
func DecodeLabelled(text io.Reader, label string) (io.Reader, error) {
	if label == "utf-8" {
		return text, nil
	}
	reader, err := charset.NewReaderLabel(label, text)
	if err != nil {
		return nil, Unexpected("the answer is in an unknown character set, %q", Brief([]byte(label)))
	}
	return reader, nil
}

// CharsetOf returns the label of the character set of a text that begins with head.
func CharsetOf(head []byte, contentType string) string {
	switch {
	case bytes.HasPrefix(head, BOM):
		return "utf-8"
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("<\x00")):
		return "utf-16le"
	case bytes.HasPrefix(head, []byte("\xfe\xff")), bytes.HasPrefix(head, []byte("\x00<")):
		return "utf-16be"
	}
	label := declaredEncoding(head)
	if strings.HasPrefix(label, "utf-16") || strings.HasPrefix(label, "utf-32") || strings.HasPrefix(label, "ucs-") {
		label = "" // cannot be true: the declaration was readable as ASCII
	}
	if label == "" {
		if _, params, err := mime.ParseMediaType(contentType); err == nil {
			label = strings.ToLower(strings.TrimSpace(params["charset"]))
		}
	}
	if label == "" || label == "utf8" || strings.HasPrefix(label, "utf-16") {
		label = "utf-8"
	}
	return label
}

// declaredEncoding returns the encoding of an XML declaration in lower case; "" for none.
func declaredEncoding(head []byte) string {
	head = bytes.TrimLeft(head, " \t\r\n")
	if !bytes.HasPrefix(head, []byte("<?xml")) {
		return ""
	}
	declaration, _, ok := bytes.Cut(head, []byte("?>"))
	if !ok {
		return ""
	}
	_, rest, ok := bytes.Cut(declaration, []byte("encoding"))
	if !ok {
		return ""
	}
	rest = bytes.TrimLeft(rest, " \t\r\n=")
	if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
		return ""
	}
	label, _, _ := bytes.Cut(rest[1:], rest[:1])
	return strings.ToLower(string(bytes.TrimSpace(label)))
}
