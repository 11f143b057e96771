package object

import (
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
)

var errSyntax = errors.New("not the syntax of a PDF's object")

// deepest is how many arrays and dictionaries may be in each other.
const deepest = 64

// Parse reads a value.
func Parse(text string) (any, error) {
	p := parser{text: text}
	v, err := p.value(0)
	return v, err
}

type parser struct {
	text string
	at   int
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}
func isDelimiter(c byte) bool { return strings.IndexByte("()<>[]{}/%", c) >= 0 }

func (p *parser) space() {
	for p.at < len(p.text) && isSpace(p.text[p.at]) {
		p.at++
	}
}

// is skips a prefix of what follows, if it is there.
func (p *parser) is(prefix string) bool {
	p.space()
	if strings.HasPrefix(p.text[p.at:], prefix) {
		p.at += len(prefix)
		return true
	}
	return false
}

// word returns the characters up to the next delimiter.
func (p *parser) word() string {
	begin := p.at
	for p.at < len(p.text) && !isSpace(p.text[p.at]) && !isDelimiter(p.text[p.at]) {
		p.at++
	}
	return p.text[begin:p.at]
}

func (p *parser) value(depth int) (any, error) {
	switch {
	case depth > deepest:
		return nil, errSyntax
	case p.is("<<"):
		return p.dict(depth)
	case p.is("["):
		return p.array(depth)
	case p.is("/"):
		return p.name(), nil
	case p.is("<"):
		return p.hex()
	case p.is("("):
		return p.literal()
	}
	return p.simple()
}

// simple reads a keyword, a number, or a reference, which begins with one.
func (p *parser) simple() (any, error) {
	switch word := p.word(); word {
	case "true", "false":
		return word == "true", nil
	case "null":
		return nil, nil
	default:
		number, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, errSyntax
		}
		after := p.at
		p.space()
		if generation := p.word(); number >= 1 && number == float64(int32(number)) && isDigits(generation) && p.is("R") {
			return Ref(number), nil
		}
		p.at = after
		return number, nil
	}
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func (p *parser) dict(depth int) (any, error) {
	d := Dict{}
	for !p.is(">>") {
		if !p.is("/") {
			return nil, errSyntax
		}
		key := p.name()
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		d[key] = v
	}
	return d, nil
}

func (p *parser) array(depth int) (any, error) {
	var a Array
	for !p.is("]") {
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		a = append(a, v)
	}
	return a, nil
}

func (p *parser) name() Name {
	word := p.word()
	if !strings.Contains(word, "#") {
		return Name(word)
	}
	var b strings.Builder
	for i := 0; i < len(word); i++ {
		if word[i] == '#' && i+2 < len(word) {
			if c, err := hex.DecodeString(word[i+1 : i+3]); err == nil {
				b.Write(c)
				i += 2
				continue
			}
		}
		b.WriteByte(word[i])
	}
	return Name(b.String())
}

func (p *parser) hex() (any, error) {
	digits, rest, found := strings.Cut(p.text[p.at:], ">")
	if !found {
		return nil, errSyntax
	}
	p.at = len(p.text) - len(rest)
	all, err := hex.DecodeString(digits)
	return String(all), err
}

// literal reads a string in parentheses. PDFium escapes these and line ends only.
func (p *parser) literal() (any, error) {
	var b strings.Builder
	for ; p.at < len(p.text); p.at++ {
		c := p.text[p.at]
		switch {
		case c == ')':
			p.at++
			return String(b.String()), nil
		case c == '\\' && p.at+1 < len(p.text):
			p.at++
			c = p.text[p.at]
			if at := strings.IndexByte("nr", c); at >= 0 {
				c = "\n\r"[at]
			}
		}
		b.WriteByte(c)
	}
	return nil, errSyntax
}
