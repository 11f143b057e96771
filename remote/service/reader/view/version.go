package view

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io/fs"
	"sync"
)

// written is the version of the code that writes pages. Increment it when code, rather than an asset or word, changes
// the output (golden_test.go).
const written = 15

// Version identifies the way in which this program writes pages. It is part of their ETags.
var Version = sync.OnceValue(version)

func version() string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%d %q", written, Languages())
	err := fs.WalkDir(assetFiles, "asset", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := assetFiles.ReadFile(name)
		sum.Write(content)
		return err
	})
	if err != nil {
		panic(err) // cannot fail: the files are embedded
	}
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:9])
}
