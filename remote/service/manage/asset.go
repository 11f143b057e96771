package manage

import (
	"embed"
	"sync"

	"paperfs/remote/service/reader/view"
)

//go:embed asset
var assetFiles embed.FS

// assets are the scripts and styles of the page, each after those that it imports.
var assets = sync.OnceValue(func() view.Assets {
	return view.Pack(assetFiles, "icon.svg", "page.css", "enter.js", "dom.js", "call.js", "tree.js", "live.js", "upload.js", "cards.js", "paper.js", "page.js")
})
