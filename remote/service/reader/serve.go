package reader

import (
	"log/slog"
	"net/http"
	"strings"

	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/reader/view"
)

// Serve answers an address outside the operations. path is relative to the service's base.
// Failures go to the log.
func (s *Reader) Serve(w http.ResponseWriter, r *http.Request, path string, log *slog.Logger) {
	if !answer.MayRead(w, r, false) {
		return
	}
	if file, ok := view.Asset(path); ok {
		ServeAsset(w, r, file)
	} else if strings.HasPrefix(path, address.MediaPath) && !strings.HasSuffix(path, "/") {
		s.serveMedia(w, r, path, log)
	} else if at := strings.LastIndexByte(path, '/') + 1; files[strings.ToLower(path[at:])] != nil {
		files[strings.ToLower(path[at:])](s, w, r, path[:at], log)
	} else if path == robotsFile {
		s.serveRobots(w, r, path, log)
	} else if path == sitemapFile {
		s.serveSitemap(w, r, path, log)
	} else {
		s.servePage(w, r, path, log)
	}
}

// files answer below the address of a paper or category. They have no slash at the end, so a node may have these names, too.
var files = map[string]func(s *Reader, w http.ResponseWriter, r *http.Request, of string, log *slog.Logger){
	strings.ToLower(address.ImageFile): (*Reader).serveImage, strings.ToLower(address.LayerFile): (*Reader).serveLayer, strings.ToLower(address.DownloadFile): (*Reader).serveDownload,
	strings.ToLower(address.OrderFile): (*Reader).serveOrder, strings.ToLower(address.HitFile): (*Reader).serveHit, strings.ToLower(address.StatisticsFile): (*Reader).serveStatistics,
	strings.ToLower(address.NewestFile): (*Reader).serveNewest, strings.ToLower(address.EmbedFile): (*Reader).serveEmbed,
}
