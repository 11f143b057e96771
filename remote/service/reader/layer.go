package reader

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"sync"

	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/pdf"
	"paperfs/remote/service/store"
)

// Layer encodes the positions of a page's text as serveLayer sends them: a JSON list of
// lines, each [x, y, width, height, text, words] in fractions of the page, compressed with
// gzip. words lists where each word begins and ends; it is missing if unknown.
func Layer(lines []pdf.Line) []byte {
	list := make([][]any, len(lines))
	for i, l := range lines {
		list[i] = []any{short(l.X), short(l.Y), short(l.Width), short(l.Height), l.Text}
		if len(l.Words) > 0 {
			words := make([]float64, len(l.Words))
			for n, x := range l.Words {
				words[n] = short(x)
			}
			list[i] = append(list[i], words)
		}
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(err) // cannot fail: numbers and strings
	}
	var b bytes.Buffer
	zip := answer.SmallGzip.Writer(&b)
	defer answer.SmallGzip.Return(zip)
	_, _ = zip.Write(text) // a write to a buffer never fails
	_ = zip.Close()
	return b.Bytes()
}

// short rounds a fraction to four digits, less than a fifth of a pixel of the largest picture.
func short(f float64) float64 { return math.Round(f*1e4) / 1e4 }

// noLayer is the answer for a page whose text positions are unknown.
var noLayer = sync.OnceValue(func() []byte { return Layer(nil) })

// serveLayer serves the positions of a page's text to clients that may see the paper now.
func (s *Reader) serveLayer(w http.ResponseWriter, r *http.Request, path string, log *slog.Logger) {
	layer, at, err := s.findLayer(r, path)
	if err != nil {
		notServed(w, r, err, log, "layer not served", "The text cannot be read now.")
		return
	}
	if !answer.MayRead(w, r, true) {
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("ETag", fmt.Sprintf(`W/"%d-layer"`, at.Page))
	h.Set("Cache-Control", at.caching(s.Now()))
	h.Set("Vary", varies)
	if answer.AcceptsGzip(r) {
		h.Set("Content-Encoding", "gzip")
	} else if layer, err = unzipped(layer); err != nil {
		log.Error("layer not served", "error", err)
		answer.Error(w, http.StatusInternalServerError, "The text cannot be read now.")
		return
	}
	ServeFile(w, r, bytes.NewReader(layer))
}

// linesOf returns the lines of a layer; none if it is nil.
func linesOf(layer []byte) (lines []pdf.Line, err error) {
	if layer == nil {
		return nil, nil
	}
	text, err := unzipped(layer)
	if err != nil {
		return nil, err
	}
	var all []layerLine
	err = json.Unmarshal(text, &all)
	for _, l := range all {
		lines = append(lines, pdf.Line(l))
	}
	return lines, err
}

type layerLine pdf.Line

// UnmarshalJSON implements json.Unmarshaler.
func (l *layerLine) UnmarshalJSON(list []byte) error {
	return json.Unmarshal(list, &[]any{&l.X, &l.Y, &l.Width, &l.Height, &l.Text, &l.Words})
}

func unzipped(b []byte) ([]byte, error) {
	zip, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(zip)
}

func (s *Reader) findLayer(r *http.Request, path string) (layer []byte, at shown, err error) {
	at.Page, err = strconv.ParseInt(r.URL.Query().Get("PageID"), 10, 64)
	if err != nil {
		return nil, at, store.ErrNotFound
	}
	err = s.Store.Read(r.Context(), func(tx store.Reader) error {
		_, node, err := address.NodeAt(tx, r.Host, path)
		if err != nil {
			return err
		}
		end, private, err := s.mayOpen(tx, r, node)
		if err != nil {
			return err
		}
		at.until(s.Now(), end, private)
		layer, err = tx.Layer(node.ID, at.Page)
		return err
	})
	if layer == nil {
		layer = noLayer()
	}
	return layer, at, err
}
