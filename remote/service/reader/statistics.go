package reader

import (
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"paperfs/remote/service/address"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
)

// month is the layout of the parameter Month.
const month = "2006-01"

// firstMonth is the first month that is shown: the service counted nothing before it.
var firstMonth = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// serveStatistics shows the views of a paper's pages in a month to whoever has the signed address, which only
// callers with credentials are told. It does not matter whether the paper is published.
func (s *Reader) serveStatistics(w http.ResponseWriter, r *http.Request, paper string, log *slog.Logger) {
	s.serveAnswer(w, r, paper, log, func(p *page, tx store.Reader) error {
		tenant, node, err := address.NodeAt(tx, r.Host, paper)
		if err != nil {
			return err
		}
		end, ok := s.Images.ParseStatistics(r.URL.Query(), node.ID)
		switch {
		case !ok: // so are categories: nobody is told such an address of one
			return store.ErrNotFound
		case !s.Now().Before(end):
			return errToken
		}
		w.Header().Set("Cache-Control", "private, no-store") // the address is for its owner
		w.Header().Set("Referrer-Policy", "no-referrer")
		if p.whole = true; p.otherwise() {
			return nil
		}
		v, err := p.statistics(tx, tenant, node, end)
		if err != nil {
			return err
		}
		p.policy.Style = v.Style()
		return p.write(v.Write)
	})
}

// statistics reads what was counted for a paper in the month that the address asks for.
func (p *page) statistics(tx store.Reader, tenant store.Tenant, node store.Node, end time.Time) (*view.Statistics, error) {
	frame, _, err := p.Reader.frame(tx, p.r, tenant, node)
	if err != nil {
		return nil, err
	}
	query, now := p.r.URL.Query(), p.Now().UTC()
	v := &view.Statistics{Frame: frame, Until: end, Month: time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)}
	if asked, err := time.Parse(month, query.Get("Month")); err == nil && !asked.Before(firstMonth) && asked.Before(v.Month) {
		v.Month, v.Later = asked, statisticsOf(query, asked.AddDate(0, 1, 0))
	}
	if v.Month.After(firstMonth) {
		v.Earlier = statisticsOf(query, v.Month.AddDate(0, -1, 0))
	}
	from, to := store.DayOf(v.Month), store.DayOf(v.Month.AddDate(0, 1, -1))
	days, err := tx.DayHits(node.ID, from, to)
	if err != nil {
		return nil, err
	}
	for _, d := range days {
		v.Views, v.Visits = v.Views+d.Views, v.Visits+d.Visits
	}
	pages, err := tx.PageHits(node.ID, from, to)
	if err != nil {
		return nil, err
	}
	thumbs, err := p.thumbs(tx, node.ID, end)
	for _, h := range pages {
		if h.Target == "" {
			v.Most = max(v.Most, h.Count)
			v.Pages = append(v.Pages, view.Viewed{Number: h.Page, Views: h.Count, Thumb: thumbs[h.Page]})
		}
	}
	return v, err
}

// statisticsOf returns the address of another month, relative to this one.
func statisticsOf(query url.Values, at time.Time) string {
	query.Set("Month", at.Format(month))
	return "?" + query.Encode()
}

// thumbs returns the small pictures of a paper's pages by number. Their addresses are signed: the paper need not be
// published.
func (p *page) thumbs(tx store.Reader, paper int64, end time.Time) (map[int]view.Picture, error) {
	found := map[int]view.Picture{}
	err := tx.Pages(paper, false, func(page store.Page) error {
		for _, i := range page.Images {
			if i.Type == "Thumb" && i.Bytes > 0 {
				found[page.Number] = view.Picture{Address: address.ImageFile + p.Images.Query(paper, page.ID, i.Type, end), Width: i.Width, Height: i.Height}
			}
		}
		return nil
	})
	return found, err
}
