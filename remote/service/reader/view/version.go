package view

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"io/fs"
	"sync"
)

// written is raised where code, and neither a template nor a word, writes pages in another way than
// before.
const written = 4

// Version returns another text for a program that writes pages in another way.
var Version = sync.OnceValue(version)

func version() string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%d %q", written, Languages)
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
			panic(err) // they are part of the program
		}
	}
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:9])
}
