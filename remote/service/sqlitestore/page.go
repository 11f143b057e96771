package sqlitestore

import (
	"fmt"
	"strconv"
	"strings"

	"paperfs/remote/service/store"
	"paperfs/remote/service/store/records"
)

// imagesOf packs the images of a page into one text: one row per page costs less than three rows
// that each contain the page's text. A URL may contain any character, so its length precedes it.
const imagesOf = `(SELECT group_concat(i.type || ' ' || i.size_kb || ' ' || i.start || ' ' || i.bytes || ' ' || i.width || ' ' || i.height || ' '
	|| length(CAST(i.url AS BLOB)) || ' ' || i.url, '') FROM image i WHERE i.page = p.id)`

func (t *tx) Pages(paper int64, text bool, visit func(store.Page) error) error {
	return t.Each(`SELECT p.id, p.number, p.part_of_index, iif(?, p.text, ''), coalesce(`+imagesOf+`, '') FROM page p WHERE p.node = ? ORDER BY p.number`,
		[]any{text, paper}, func(scan func(...any) error) error {
			var p store.Page
			var packed string
			err := scan(&p.ID, &p.Number, &p.PartOfIndex, &p.Text, &packed)
			if err == nil {
				p.Images, err = unpackImages(packed)
			}
			if err != nil {
				return err
			}
			return visit(p)
		})
}

// unpackImages parses the text of imagesOf and sorts the images by type.
func unpackImages(packed string) ([]store.Image, error) {
	var byType [3]store.Image
	for rest := packed; rest != ""; {
		var n [7]int64
		for i := range n {
			word, after, found := strings.Cut(rest, " ")
			number, err := strconv.ParseInt(word, 10, 64)
			if err != nil || !found {
				return nil, fmt.Errorf("the images of a page cannot be read: %q", packed)
			}
			n[i], rest = number, after
		}
		kind, length := n[0], n[6]
		if kind < 1 || kind > 3 || length < 0 || length > int64(len(rest)) {
			return nil, fmt.Errorf("the images of a page cannot be read: %q", packed)
		}
		byType[kind-1] = store.Image{Type: records.ImageTypes[kind-1], SizeKB: n[1], Start: n[2], Bytes: n[3], Width: int(n[4]), Height: int(n[5]), URL: rest[:length]}
		rest = rest[length:]
	}
	var images []store.Image
	for _, i := range byType {
		if i.Type != "" {
			images = append(images, i)
		}
	}
	return images, nil
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
	return t.Exec(`INSERT INTO page_index (rowid, phrase)
		SELECT page.id, phrase FROM page JOIN page_phrase ON page_phrase.page = page.id WHERE page.node = ? ORDER BY page.id`, paper)
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
