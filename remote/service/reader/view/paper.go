package view

import (
	"fmt"
	"io"
	"strings"
)

// Write writes a paper.
func (p *Paper) Write(w io.Writer) error {
	d := p.document()
	p.head(d)
	p.top(d)
	p.begin(d)
	pages := articles{document: d, of: p}
	if err := pages.write(w); err != nil {
		return err
	}
	p.end(d)
	p.bottom(d)
	p.dialogs(d)
	d.Line(`</body>
</html>
`)
	return d.flush(w)
}

func (p *Paper) head(d *document) {
	d.begin(&p.Frame, p.language(), Form(` class="shaped {}{}{}{}"{}`, string(p.Layout), when(p.Text, " text"), when(p.Bare, " bare"), with(" {}", p.Scheme()), when(p.Maximize, " data-maximize")))
	more := HTML(`
<meta property="og:type" content="article">`)
	if at, _, _ := strings.Cut(p.Canonical, "?"); !p.Hidden {
		more += Form(`
<link rel="alternate" type="application/json+oembed" href="{}OEmbed.ashx" title="{}">`, at, p.Title)
	}
	d.named(&p.Frame, more)
	if p.Cover.Address != "" {
		d.Line(`<meta property="og:image" content="{}">
<meta property="og:image:width" content="{}">
<meta property="og:image:height" content="{}">
<meta name="twitter:card" content="summary_large_image">`, p.Cover.Address, p.Cover.Width, p.Cover.Height)
	}
	if p.Icon != "" && p.Favicon == "" {
		d.Line(`<link rel="icon" type="image/jpeg" href="{}" media="(min-width: 45.01em)">
<link rel="icon" type="image/svg+xml" href="{}" media="(max-width: 45em)">`, p.Icon, d.asset("icon.svg"))
	} else {
		d.tab(&p.Frame)
	}
	d.look(&p.Frame, "reader.css")
	d.Line(`<link rel="modulepreload" href="{}">
<script type="module" src="{}"></script>`, d.asset("paging.js"), d.asset("reader.js"))
	if p.Home {
		d.Line(`<script type="application/ld+json">{}</script>`, data(p.About()))
	}
	d.body(&p.Frame, "")
}

// begin begins the part with the pages.
func (p *Paper) begin(d *document) {
	w := d.Words
	if p.Ends != "" {
		d.Line(`<p class="note" id="ends" lang="{}">{} <time datetime="{}">{}</time></p>`, w.Tag, w.PreviewUntil, p.Ends, p.Ends)
	}
	d.Line(`<main id="pages" tabindex="0"{} aria-label="{}" data-first="{}" data-total="{}" data-step="{}" data-zoom="{}"{}>`,
		p.direction(), w.Pages, p.First, p.Total, p.Step, p.MaxZoom, when(p.Counted, " data-count"))
	p.part(d, p.Earlier(), w.Earlier)
}

func (p *Paper) end(d *document) {
	p.part(d, p.Later(), d.Words.Later)
	d.Line(`</main>`)
}

// part links to the part that begins with a page; 0 for none.
func (p *Paper) part(d *document, page int, name string) {
	if page != 0 {
		d.Line(`<p class="part" lang="{}"><a href="./{}">{}</a></p>`, d.Words.Tag, p.And(fmt.Sprintf("Page=%d", page)), name)
	}
}

func (p *Paper) direction() HTML { return when(p.RightToLeft(), ` dir="rtl"`) }
