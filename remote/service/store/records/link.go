package records

import "paperfs/remote/service/store"

// LinkColumns are the columns of a link that LinkRow lists.
const LinkColumns = `page, x, y, width, height, alt_text, url, style_name, shape_type, polygon_coords, link_type, file_id, target, use_mask, param, imported`

// LinkRow returns where the values of LinkColumns are, to read and to write them.
func LinkRow(l *store.Link) []any {
	return []any{&l.Page, &l.X, &l.Y, &l.Width, &l.Height, &l.AltText, &l.URL, &l.StyleName,
		&l.ShapeType, &l.PolygonCoords, &l.LinkType, &l.FileID, &l.Target, &l.UseMask, &l.Param, &l.Imported}
}

const linksOf = `SELECT ` + LinkColumns + ` FROM link WHERE node = $1 ORDER BY ordinal`

// Links implements store.LinkReader.
func (q Queries) Links(paper int64) ([]store.Link, error) {
	return All(q.tx, linksOf, []any{paper}, func(scan func(...any) error, l *store.Link) error { return scan(LinkRow(l)...) })
}

// EachLink implements store.LinkReader.
func (q Queries) EachLink(paper int64, visit func(store.Link) error) error {
	return q.tx.Each(linksOf, []any{paper}, func(scan func(...any) error) error {
		var l store.Link
		if err := scan(LinkRow(&l)...); err != nil {
			return err
		}
		return visit(l)
	})
}

// Edition implements store.PageReader.
func (q Queries) Edition(paper int64) (number int64, err error) {
	err = q.tx.Row(`SELECT number FROM edition WHERE node = $1`, []any{paper}, &number)
	return number, store.IgnoreNotFound(err)
}

// Accepted implements store.PageReader.
func (q Queries) Accepted(paper int64) (a store.Accepted, err error) {
	var sum []byte
	err = q.tx.Row(`SELECT number, accepted, coalesce(size, 0), coalesce(job, '') FROM edition WHERE node = $1`, []any{paper}, &a.Edition, &sum, &a.Size, &a.Job)
	copy(a.Sum[:], sum)
	return a, store.IgnoreNotFound(err)
}

// Accept is the statement of store.PageWriter.Accept.
const Accept = `INSERT INTO edition (node, number, accepted, size, job) VALUES ($1, $2, $3, $4, $5)
	ON CONFLICT (node) DO UPDATE SET number = excluded.number, accepted = excluded.accepted, size = excluded.size, job = excluded.job`
