package view

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"io/fs"
	"sync"
)

// written is the version of the code that writes pages. Increment it when code, rather than a
// template, asset or word, changes the output.
const written = 9

// Version identifies the way in which this program writes pages. It is part of their ETags.
var Version = sync.OnceValue(version)

func version() string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%d %q", written, Languages())
	for _, dir := range []struct {
		fs   embed.FS
		root string
	}{{assetFiles, "asset"}, {templateFiles, "."}} {
		err := fs.WalkDir(dir.fs, dir.root, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			content, err := dir.fs.ReadFile(name)
			sum.Write(content)
			return err
		})
		if err != nil {
			panic(err) // cannot fail: the files are embedded
		}
	}
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:9])
}
