package xmldoc

import (
	"strconv"

	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
	"paperfs/remote/service/value"
)

// Links writes the links of a paper.
func Links(x *answer.Writer, links []store.Link) {
	if len(links) == 0 {
		x.Empty("root")
		return
	}
	x.Open("root")
	for i, l := range links {
		writeLink(x, i+1, l)
	}
	x.Close("root")
}

func writeLink(x *answer.Writer, number int, l store.Link) {
	x.Open("link", answer.Int("number", int64(number)))
	x.Scalar("number", strconv.Itoa(l.Page))
	x.Scalar("x", coordinate(l.X))
	x.Scalar("y", coordinate(l.Y))
	x.Scalar("width", coordinate(l.Width))
	x.Scalar("height", coordinate(l.Height))
	x.Text("alttext", l.AltText)
	x.Text("url", l.URL)
	x.Text("stylename", l.StyleName)
	x.Scalar("shapetype", l.ShapeType)
	x.Text("polygoncoords", l.PolygonCoords)
	x.Scalar("linktype", l.LinkType)
	x.Scalar("fileid", l.FileID)
	x.Text("target", l.Target)
	x.Scalar("usemask", value.Structure(l.UseMask))
	x.Text("param", l.Param)
	x.Close("link")
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
