package manage

import (
	"bytes"
	"embed"
	"sync"

	"paperfs/remote/rules"
	"paperfs/remote/service/reader/view"
)

//go:embed asset
var assetFiles embed.FS

// assets are the scripts and styles of the page.
var assets = sync.OnceValue(func() view.Assets {
	return view.Pack(joined{assetFiles}, "icon.svg", "page.css", "copy.js", "enter.js", "page.js")
})

// modules are what page.js consists of, each after those that it imports. No two of them have a name in common.
var modules = []string{"dom.js", "call.js", "tree.js", "live.js", "upload.js", "cards.js", "change.js", "media.js", "settings.js", "shop.js", "numbers.js", "versions.js", "paper.js", "page.js"}

// joined has page.js with all that it imports, so that it is one request.
type joined struct{ embed.FS }

var importOrExport = rules.Pattern(`(?m)^(import .*\n|export )`)

// ReadFile implements fs.ReadFileFS.
func (j joined) ReadFile(name string) ([]byte, error) {
	if name != "asset/page.js" {
		return j.FS.ReadFile(name)
	}
	var all bytes.Buffer
	for _, module := range modules {
		content, err := j.FS.ReadFile("asset/" + module)
		if err != nil {
			return nil, err
		}
		all.Write(importOrExport().ReplaceAll(content, nil))
	}
	return all.Bytes(), nil
}
