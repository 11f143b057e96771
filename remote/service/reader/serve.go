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
	} else if paper, ok := address.CutFile(path, address.ImageFile); ok {
		s.serveImage(w, r, paper, log)
	} else if paper, ok := address.CutFile(path, address.LayerFile); ok {
		s.serveLayer(w, r, paper, log)
	} else if paper, ok := address.CutFile(path, address.OrderFile); ok {
		s.serveOrder(w, r, paper, log)
	} else if paper, ok := address.CutFile(path, address.HitFile); ok {
		s.serveHit(w, r, paper, log)
	} else if paper, ok := address.CutFile(path, address.DownloadFile); ok {
		s.serveDownload(w, r, paper, log)
	} else if paper, ok := address.CutFile(path, address.StatisticsFile); ok {
		s.serveStatistics(w, r, paper, log)
	} else if category, ok := address.CutFile(path, address.NewestFile); ok {
		s.serveNewest(w, r, category, log)
	} else if paper, ok := address.CutFile(path, address.EmbedFile); ok {
		s.serveEmbed(w, r, paper, log)
	} else if path == robotsFile {
		s.serveRobots(w, r, path, log)
	} else if path == sitemapFile {
		s.serveSitemap(w, r, path, log)
	} else {
		s.servePage(w, r, path, log)
	}
}
