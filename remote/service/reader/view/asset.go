package view

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"path"
	"strings"
	"sync"

	"paperfs/remote/rules"
)

// Path begins the address of every asset. No node has it (rules.ReservedAddress).
const Path = "/reader/"

//go:embed asset
var assetFiles embed.FS

// File is an asset.
type File struct {
	Name    string // includes a hash of the content
	Type    string
	Content []byte
	Zipped  []byte
}

// assets are those of the reader. They are compressed at the first use: most runs of the program need none.
var assets = sync.OnceValue(func() Assets {
	return Pack(assetFiles, "icon.svg", "reader.css", "shelf.css", "shop.css", "help.css", "statistics.css", "paging.js", "turn.js", "peek.js", "layer.js", "zoom.js", "lists.js", "select.js", "text.js", "share.js", "search.js", "item.js", "medium.js", "basket.js", "speak.js", "hit.js", "again.js", "reader.js")
})

// Assets are files by their names with hash, and these names by the names without.
type Assets struct {
	Files map[string]File
	Names map[string]string
}

// Pack reads assets from the folder asset. The names have each script after those that it imports: the script
// contains their hashed names.
func Pack(from fs.FS, all ...string) Assets {
	files, names := map[string]File{}, map[string]string{}
	for _, name := range all {
		content := whole(from, path.Join("asset", name))
		if path.Ext(name) == ".js" {
			content = withoutComments(content)
		} else if path.Ext(name) == ".css" {
			content = []byte(withoutBlanks.Replace(string(content)))
		}
		for plain, with := range names {
			content = bytes.ReplaceAll(content, []byte("'./"+plain+"'"), []byte("'./"+with+"'"))
		}
		sum := sha256.Sum256(content)
		ext := path.Ext(name)
		with := strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:6]) + ext
		names[name] = with
		files[with] = File{with, types[ext], content, zipped(content)}
	}
	return Assets{files, names}
}

// whole returns a file, or the files of a folder together: an asset by its parts, in one request.
func whole(from fs.FS, name string) (content []byte) {
	err := fs.WalkDir(from, name, func(at string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		part, err := fs.ReadFile(from, at)
		content = append(content, part...)
		return err
	})
	if err != nil {
		panic(err) // cannot fail: the files are embedded
	}
	return content
}

// withoutComments removes comments, indentation, and blanks around operators. It requires that no string literal in the
// scripts spans lines or contains the beginning of a comment.
func withoutComments(script []byte) []byte {
	var kept []byte
	within := false
	for line := range bytes.Lines(script) {
		text := bytes.TrimSpace(comment().ReplaceAll(line, nil))
		switch {
		case within:
			within = !bytes.HasSuffix(text, []byte("*/"))
		case bytes.HasPrefix(text, []byte("/**")):
			within = true
		case len(text) > 0:
			kept = append(kept, denser.Replace(string(text))+"\n"...)
		}
	}
	return kept
}

// denser removes blanks around operators. No text in the scripts has these.
var denser = strings.NewReplacer(" => ", "=>", " = ", "=", " === ", "===", " !== ", "!==", " && ", "&&", " || ", "||", " ?? ", "??", ") {", "){")

// withoutBlanks removes the blanks of styles that mean nothing. No text in them contains one of these.
var withoutBlanks = strings.NewReplacer("; }\n", "}", ";\n  ", ";", ";\n}\n", "}", " {\n  ", "{", " { ", "{", "; ", ";", ": ", ":", ", ", ",", "\n\n", "\n")

var comment = rules.Pattern(`/\*.*?\*/ ?|(^| +)// .*`)

// types does not depend on the host's MIME types, unlike mime.TypeByExtension.
var types = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

func zipped(content []byte) []byte {
	var b bytes.Buffer
	zip, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
	_, _ = zip.Write(content)                               // a write to a buffer never fails
	_ = zip.Close()
	return b.Bytes()
}

// AssetPath returns the path of an asset, relative to the service's base.
func AssetPath(name string) string {
	return Path[1:] + assets().Names[name]
}

// Asset returns the asset at a path relative to the service's base.
func Asset(at string) (File, bool) {
	name, ok := strings.CutPrefix(at, Path)
	if !ok {
		return File{}, false
	}
	f, ok := assets().Files[name]
	return f, ok
}
