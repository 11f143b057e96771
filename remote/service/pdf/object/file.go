package object

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// mostBytes is how many bytes of objects are kept, without the data of streams.
const mostBytes = 64 << 20

// File has the objects of a PDF.
type File struct {
	Root    Ref // the catalog
	Info    any // what the PDF says of itself
	Last    Ref // the highest number of an object
	objects map[Ref]string
	values  map[Ref]any // of objects that were asked for
}

// Read reads a PDF as PDFium writes it.
func Read(r io.Reader) (*File, error) {
	f := &File{objects: map[Ref]string{}, values: map[Ref]any{}}
	in := bufio.NewReaderSize(r, 64<<10)
	for room := mostBytes; ; {
		line, err := in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		switch words := strings.Fields(line); {
		case len(words) == 3 && words[2] == "obj" && isDigits(words[0]):
			text, err := body(in, room)
			if err != nil {
				return nil, err
			}
			var number Ref
			fmt.Sscan(words[0], &number)
			f.objects[number], f.Last = text, max(f.Last, number)
			room -= len(text)
		case len(words) == 1 && words[0] == "trailer":
			return f, f.trailer(in)
		}
	}
}

func (f *File) trailer(in io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(in, 1<<20))
	if err != nil {
		return err
	}
	v, err := Parse(string(text))
	if err != nil {
		return err
	}
	d, _ := v.(Dict)
	root, ok := d["Root"].(Ref)
	if f.Root, f.Info = root, d["Info"]; !ok {
		return errors.New("a PDF without a catalog")
	}
	return nil
}

// body reads an object up to its end, and leaves out the data of a stream.
func body(in *bufio.Reader, room int) (string, error) {
	var b []byte
	parentheses := 0
	for len(b) < room {
		c, err := in.ReadByte()
		if err != nil {
			return "", err
		}
		b = append(b, c)
		switch {
		case c == '\\' && parentheses > 0:
			if c, err = in.ReadByte(); err != nil {
				return "", err
			}
			b = append(b, c)
		case c == '(':
			parentheses++
		case c == ')':
			parentheses--
		case c == 'j' && parentheses == 0 && ends(b, "endobj"):
			return string(b[:len(b)-len("endobj")]), nil
		case c == 'm' && parentheses == 0 && ends(b, "stream"):
			text := string(b[:len(b)-len("stream")])
			return text, skip(in, text)
		}
	}
	return "", errors.New("the objects are too large")
}

// ends reports whether a keyword is at the end.
func ends(b []byte, keyword string) bool {
	before := len(b) - len(keyword)
	return before > 0 && string(b[before:]) == keyword && (isSpace(b[before-1]) || strings.IndexByte(">])", b[before-1]) >= 0)
}

// skip skips the data of a stream. PDFium writes its length before it.
func skip(in *bufio.Reader, dict string) error {
	v, err := Parse(dict)
	if err != nil {
		return err
	}
	d, _ := v.(Dict)
	length, ok := d["Length"].(float64)
	if !ok || length < 0 {
		return errSyntax
	}
	if _, err = in.ReadString('\n'); err == nil {
		_, err = in.Discard(int(length))
	}
	return err
}

// Get returns a value, or what it refers to; nil for nothing.
func (f *File) Get(v any) any {
	for range deepest {
		ref, ok := v.(Ref)
		if !ok {
			return v
		}
		value, known := f.values[ref]
		if !known {
			value, _ = Parse(f.objects[ref])
			f.values[ref] = value
		}
		v = value
	}
	return nil
}

// Dict returns a dictionary, which may be empty.
func (f *File) Dict(v any) Dict {
	d, _ := f.Get(v).(Dict)
	return d
}

// Array returns an array, which may be empty.
func (f *File) Array(v any) Array {
	a, _ := f.Get(v).(Array)
	return a
}

// Number returns a number; 0 for something else.
func (f *File) Number(v any) float64 {
	n, _ := f.Get(v).(float64)
	return n
}

// With returns the text of a dictionary with other entries, which replace its own.
func (f *File) With(ref Ref, entries string) string {
	return strings.TrimSuffix(strings.TrimSpace(f.objects[ref]), ">>") + entries + ">>"
}

// All calls yield with each object that is a dictionary or has one.
func (f *File) All(yield func(Ref, Dict) bool) {
	for ref := range f.objects {
		if d := f.Dict(ref); d != nil && !yield(ref, d) {
			return
		}
	}
}
