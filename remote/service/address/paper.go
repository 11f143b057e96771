package address

// File names after the address of a paper.
const (
	ImageFile    = "Image.ashx"    // a page image
	LayerFile    = "Layer.ashx"    // the positions of a page's text
	OrderFile    = "Order.ashx"    // accepts orders
	HitFile      = "Hit.ashx"      // counts page views
	DownloadFile = "Download.ashx" // the PDF
	NewestFile   = "Newest.ashx"   // leads to the newest paper of a category
	EmbedFile    = "OEmbed.ashx"   // tells other sites how to show the paper
	// StatisticsFile shows page views to whoever has its signed address.
	StatisticsFile = "Statistics.ashx"
)
