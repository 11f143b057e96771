package sqlitestore

import "paperfs/remote/service/store"

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
	return t.each(`SELECT `+linkColumns+` FROM link WHERE node = ? ORDER BY ordinal`, []any{paper}, func(scan func(...any) error) error {
		var l store.Link
		if err := scan(&l.Page, &l.X, &l.Y, &l.Width, &l.Height, &l.AltText, &l.URL, &l.StyleName,
			&l.ShapeType, &l.PolygonCoords, &l.LinkType, &l.FileID, &l.Target, &l.UseMask, &l.Param, &l.Imported); err != nil {
			return err
		}
		return visit(l)
	})
}

func (t *tx) ReplaceLinks(paper int64, links []store.Link) error {
	if _, err := t.ExecContext(t.ctx, `DELETE FROM link WHERE node = ?`, paper); err != nil {
		return translate(err)
	}
	if err := t.newEdition(paper); err != nil {
		return err
	}
	for i, l := range links {
		err := t.change(`INSERT INTO link (node, ordinal, `+linkColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			paper, i+1, l.Page, l.X, l.Y, l.Width, l.Height, l.AltText, l.URL, l.StyleName,
			l.ShapeType, l.PolygonCoords, l.LinkType, l.FileID, l.Target, l.UseMask, l.Param, l.Imported)
		if err != nil {
			return err
		}
	}
	return nil
}
