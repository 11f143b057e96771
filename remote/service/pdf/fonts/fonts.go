// Package fonts has fonts for text whose font is not in the PDF. They have the widths of the fonts that
// nearly all such PDFs ask for, with letters of Latin, Greek and Cyrillic scripts; one has those of Chinese,
// Japanese and Korean. They are not packed, as a worker looks into all of them to choose one.
//
// The files are Arimo, Tinos and Cousine, reduced to these scripts, and Droid Sans Fallback, all without
// instructions for low resolutions. Their terms are in LICENSE.
package fonts

import (
	"bytes"
	"embed"
	"io"
	"io/fs"
	"path"
	"strings"
)

//go:embed usr
var files embed.FS

// License has the terms of the fonts.
//
//go:embed LICENSE
var License string

// FS has the fonts as a machine has them that has nothing else. A program that looks for a font by the
// name of its family finds it.
var FS fs.FS = tree{}

// families are the names by which PDFs ask for a font. In the program, the fonts keep their own.
var families = map[string]string{"Arimo": "Arial", "Tinos": "Times New Roman", "Cousine": "Courier New"}

type tree struct{}

// Open implements fs.FS. A font can be read from any offset.
func (tree) Open(name string) (fs.File, error) {
	f, err := files.Open(name)
	own, style, _ := strings.Cut(strings.TrimSuffix(path.Base(name), ".ttf"), "-")
	family, known := families[own]
	if err != nil || !known {
		return f, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	font, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	font = named(font, family, strings.Replace(style, "BoldItalic", "Bold Italic", 1))
	return &file{bytes.NewReader(font), sized{info, int64(len(font))}}, nil
}

type file struct {
	*bytes.Reader
	info fs.FileInfo
}

func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *file) Close() error               { return nil }

// sized is the description of a file that has got another size.
type sized struct {
	fs.FileInfo
	size int64
}

func (s sized) Size() int64 { return s.size }
