package address

import "strings"

// What ends an address after that of its paper.
const (
	ImageFile    = "Image.ashx"    // a picture of a page
	LayerFile    = "Layer.ashx"    // where a page's text lies
	OrderFile    = "Order.ashx"    // takes orders
	HitFile      = "Hit.ashx"      // counts what is looked at
	DownloadFile = "Download.ashx" // the PDF
)

// CutFile takes the address of a paper out of one that ends in a file.
func CutFile(path, file string) (paper string, ok bool) {
	at := strings.LastIndexByte(path, '/') + 1
	return path[:at], strings.EqualFold(path[at:], file)
}
