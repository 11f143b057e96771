package answer

import (
	"strconv"

	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

// Links writes the links of a paper.
func Links(w *Writer, links []store.Link) {
	w.Open("root")
	for i, l := range links {
		writeLink(w, i+1, l)
	}
	w.Close("root")
}

func writeLink(w *Writer, number int, l store.Link) {
	w.Open("link", Int("number", int64(number)))
	w.Scalar("number", strconv.Itoa(l.Page))
	w.Scalar("x", coordinate(l.X))
	w.Scalar("y", coordinate(l.Y))
	w.Scalar("width", coordinate(l.Width))
	w.Scalar("height", coordinate(l.Height))
	w.Text("alttext", l.AltText)
	w.Text("url", l.URL)
	w.Text("stylename", l.StyleName)
	w.Scalar("shapetype", l.ShapeType)
	w.Text("polygoncoords", l.PolygonCoords)
	w.Scalar("linktype", l.LinkType)
	w.Scalar("fileid", l.FileID)
	w.Text("target", l.Target)
	w.Scalar("usemask", rules.Structure(l.UseMask))
	w.Text("param", l.Param)
	w.Close("link")
}

// coordinate writes a fraction with up to 15 significant digits and a decimal
// point, never with an exponent.
func coordinate(f float64) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', 15, 64), 64)
	if err != nil {
		rounded = f
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}
