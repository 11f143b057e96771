package postgresstore

import (
	"strings"

	"paperfs/remote/service/store"
	"paperfs/remote/service/value"
)

const linkColumns = `page, x, y, width, height, alt_text, url, style_name, shape_type, polygon_coords, link_type, file_id, target, use_mask, param, imported`

func (t *tx) Links(paper int64) ([]store.Link, error) {
	var all []store.Link
	err := t.EachLink(paper, func(l store.Link) error {
		all = append(all, l)
		return nil
	})
	return all, err
}

func (t *tx) EachLink(paper int64, visit func(store.Link) error) error {
	return t.each(`SELECT `+linkColumns+` FROM link WHERE node = $1 ORDER BY ordinal`, []any{paper}, func(scan func(...any) error) error {
		var l store.Link
		if err := scan(&l.Page, &l.X, &l.Y, &l.Width, &l.Height, &l.AltText, &l.URL, &l.StyleName,
			&l.ShapeType, &l.PolygonCoords, &l.LinkType, &l.FileID, &l.Target, &l.UseMask, &l.Param, &l.Imported); err != nil {
			return err
		}
		return visit(l)
	})
}

var linkInto = append([]string{"node", "ordinal", "file"}, strings.Split(linkColumns, ", ")...)

func (t *tx) ReplaceLinks(paper int64, links []store.Link) error {
	if err := t.exec(`DELETE FROM link WHERE node = $1`, paper); err != nil {
		return err
	}
	if err := t.newEdition(paper); err != nil {
		return err
	}
	return t.copy("link", linkInto, len(links), func(i int) ([]any, error) {
		l := links[i]
		var file *int64
		if id, ok := value.ID(l.FileID); ok && l.LinkType == "file" {
			file = &id
		}
		return []any{paper, int64(i + 1), file, l.Page, l.X, l.Y, l.Width, l.Height, l.AltText, l.URL, l.StyleName,
			l.ShapeType, l.PolygonCoords, l.LinkType, l.FileID, l.Target, l.UseMask, l.Param, l.Imported}, nil
	})
}

func (t *tx) Edition(paper int64) (number int64, err error) {
	err = t.row(`SELECT number FROM edition WHERE node = $1`, []any{paper}, &number)
	return number, store.IgnoreNotFound(err)
}

// newEdition must be called by every change of pages or links.
func (t *tx) newEdition(paper int64) error {
	return t.change(`INSERT INTO edition (node, number) VALUES ($1, $2) ON CONFLICT (node) DO UPDATE SET number = excluded.number`, paper, random())
}
