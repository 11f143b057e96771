package view

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"
)

// Path begins the address of every asset. Node addresses end with a slash and
// those of assets never do, so a category may be called reader.
const Path = "/reader/"

//go:embed asset
var assetFiles embed.FS

// File is an asset as it is sent.
type File struct {
	Name    string // with its hash
	Type    string
	Content []byte
	Zipped  []byte
}

// assets returns all files by their names with hash, and these names by those without. They are
// compressed at the first use: most starts of the program need none.
var assets = sync.OnceValues(hashed)

// hashed names the assets. A script that others import comes before them: theirs
// have its name in them.
func hashed() (map[string]File, map[string]string) {
	files, names := map[string]File{}, map[string]string{}
	for _, name := range []string{"icon.svg", "reader.css", "shelf.css", "paging.js", "layer.js", "zoom.js", "select.js", "text.js", "search.js", "basket.js", "hit.js", "again.js", "reader.js"} {
		content, err := fs.ReadFile(assetFiles, path.Join("asset", name))
		if err != nil {
			panic(err) // it is part of the program
		}
		if path.Ext(name) == ".js" {
			content = withoutComments(content)
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
	return files, names
}

// withoutComments leaves out comments, and the white space that lines begin with. No text in the
// scripts spans lines or contains the beginning of a comment.
func withoutComments(script []byte) []byte {
	var kept []byte
	within := false
	for line := range bytes.Lines(script) {
		text := bytes.TrimSpace(comment.ReplaceAll(line, nil))
		switch {
		case within:
			within = !bytes.HasSuffix(text, []byte("*/"))
		case bytes.HasPrefix(text, []byte("/**")):
			within = true
		case len(text) > 0:
			kept = append(append(kept, text...), '\n')
		}
	}
	return kept
}

var comment = regexp.MustCompile(`/\*.*?\*/ ?|(^| +)// .*`)

// types do not depend on what the machine says of file names.
var types = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

func zipped(content []byte) []byte {
	var b bytes.Buffer
	zip, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
	_, _ = zip.Write(content)                               // a buffer takes everything
	_ = zip.Close()
	return b.Bytes()
}

// Asset finds the asset at a path below the service's base.
func Asset(at string) (File, bool) {
	name, ok := strings.CutPrefix(at, Path)
	if !ok {
		return File{}, false
	}
	files, _ := assets()
	f, ok := files[name]
	return f, ok
}
