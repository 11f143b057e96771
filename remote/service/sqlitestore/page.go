package sqlitestore

import (
	"encoding/json"
	"fmt"

	"paperfs/remote/service/store"
	"paperfs/remote/service/store/records"
)

// imagesOf packs the images of a page, by type, into one text: one row per page costs less than three rows that each
// contain the page's text.
const imagesOf = `(SELECT json_group_array(json_object('Kind', i.type, 'SizeKB', i.size_kb, 'URL', i.url, 'Start', i.start, 'Bytes', i.bytes,
	'Width', i.width, 'Height', i.height) ORDER BY i.type) FROM image i WHERE i.page = p.id)`

func (t *tx) Pages(paper int64, text bool, visit func(store.Page) error) error {
	return t.Each(`SELECT p.id, p.number, p.part_of_index, iif(?1, p.text, ''), iif(?1, l.layer, NULL), `+imagesOf+`
		FROM page p LEFT JOIN page_layer l ON l.page = p.id WHERE p.node = ?2 ORDER BY p.number`, []any{text, paper},
		func(scan func(...any) error) error {
			var p store.Page
			var packed []byte
			err := scan(&p.ID, &p.Number, &p.PartOfIndex, &p.Text, &p.Layer, &packed)
			if err == nil {
				p.Images, err = unpackImages(packed)
			}
			if err != nil {
				return err
			}
			return visit(p)
		})
}

// unpackImages parses the text of imagesOf.
func unpackImages(packed []byte) (images []store.Image, err error) {
	var all []struct {
		Kind int
		store.Image
	}
	err = json.Unmarshal(packed, &all)
	for _, one := range all {
		one.Type = records.ImageTypes[one.Kind-1]
		images = append(images, one.Image)
	}
	return images, err
}

func (t *tx) ReplacePages(paper int64, pages []store.Page) error {
	if err := t.Exec(`DELETE FROM page WHERE node = ?`, paper); err != nil {
		return err
	}
	if err := t.newEdition(paper); err != nil {
		return err
	}
	for _, p := range pages {
		id, err := t.Insert(`INSERT INTO page (node, number, part_of_index, text, title) VALUES (?, ?, ?, ?, ?)`, paper, p.Number, p.PartOfIndex, p.Text, p.Titles)
		if err != nil {
			return err
		}
		if _, err := t.Insert(`INSERT INTO page_phrase (page, phrase) VALUES (?, ?)`, id, store.Phrase(p.Text)); err != nil {
			return err
		}
		if p.Layer != nil {
			if _, err := t.Insert(`INSERT INTO page_layer (page, layer) VALUES (?, ?)`, id, p.Layer); err != nil {
				return err
			}
		}
		for _, i := range p.Images {
			if err := t.addImage(id, i); err != nil {
				return err
			}
		}
	}
	return t.index(paper)
}

func (t *tx) index(paper int64) error {
	return t.Exec(`INSERT INTO page_index (rowid, phrase)
		SELECT page.id, phrase FROM page JOIN page_phrase ON page_phrase.page = page.id WHERE page.node = ? ORDER BY page.id`, paper)
}

func (t *tx) CopyPages(from, to int64) error {
	if err := t.Queries.CopyPages(from, to); err != nil {
		return err
	}
	return t.index(to)
}

func (t *tx) addImage(page int64, i store.Image) error {
	for n, name := range records.ImageTypes {
		if name == i.Type {
			return t.Change(`INSERT INTO image (page, type, size_kb, url, start, bytes, width, height) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
				page, n+1, i.SizeKB, i.URL, i.Start, i.Bytes, i.Width, i.Height)
		}
	}
	return fmt.Errorf("unknown image type %q", i.Type)
}
