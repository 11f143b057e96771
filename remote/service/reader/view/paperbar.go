package view

// top has what is above the pages: the paper's name and the tools. What needs scripts is hidden.
func (p *Paper) top(d *document) {
	w := d.Words
	d.Line(`<a class="skip" href="#pages" lang="{}">{}</a>
<svg class="defs" aria-hidden="true"><symbol id="badge" viewBox="0 0 24 24"><circle cx="12" cy="12" r="11.5"/><path d="M5.5 7.5h1.7l1.4 6.7h6.8l1.5-5H7.6M10 17v.01M14.5 17v.01"/></symbol>{}</svg>
<header lang="{}">`, w.Tag, w.Skip, mediaBadges, w.Tag)
	switch {
	case p.Logo == "":
	case p.Home:
		d.Line(`<a class="logo" href="../{}" aria-label="{}"><img src="{}{}" alt=""></a>`, p.Query, w.Others, d.base, p.Logo)
	default:
		d.Line(`<span class="logo"><img src="{}{}" alt=""></span>`, d.base, p.Logo)
	}
	d.Line(`<h1 lang="{}" dir="auto">{}</h1>`, p.language(), p.Name)
	if p.Shop != nil {
		d.Line(`<button type="button" id="cart" aria-haspopup="dialog" hidden>{}<b>{}</b> <span></span></button>`, icon("M3 4h2.5l2.2 10.5h10l2.3-7.5H6.3M9 19.5v.01M16.5 19.5v.01"), w.Basket)
	}
	d.Line(`<nav aria-label="{}">`, w.Bar)
	p.tools(d)
	d.Line(`</nav>
</header>`)
}

func (p *Paper) tools(d *document) {
	w := d.Words
	d.add("\n", button(`id="seek" aria-haspopup="dialog" hidden`, lens, w.Search))
	d.add("\n", button(`id="overview" aria-haspopup="dialog" hidden`, "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z", w.Overview))
	if len(p.Contents) > 0 {
		d.add("\n", link(`id="chapters" href="#contents"`, "M4 6h16M4 12h16M4 18h10", w.Contents))
	}
	d.add("\n", button(`id="smaller" hidden disabled`, lens+"M7.5 10.5h6", w.ZoomOut))
	d.add("\n", button(`id="larger" hidden`, lens+"M7.5 10.5h6M10.5 7.5v6", w.ZoomIn))
	d.add("\n", button(`id="more" popovertarget="tools"`, "M5 12v.01M12 12v.01M19 12v.01", w.More))
	d.Line(`<div id="tools" popover>`)
	d.add("\n", button(`id="whole" hidden disabled`, "M6 3h12v18H6zM9 12h6M12 9v6", w.ZoomAll))
	if p.Text {
		d.add("\n", link(Form(`id="text" href="./{}"`, p.Query), book, w.Pictures))
		d.add("\n", button(`id="speak" aria-pressed="false" hidden`, "M4 9.5v5h3.5l4.5 4v-13l-4.5 4zM15.5 9a4.5 4.5 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11", w.Speak))
	} else {
		d.add("\n", link(Form(`id="text" href="./{}"`, p.And("View=text")), "M5 7V5h14v2M12 5v14M9.5 19h5", w.Text))
	}
	d.add("\n", button(`id="full" hidden`, "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5", w.FullScreen))
	d.add("\n", button(`id="share" aria-haspopup="dialog" hidden`, "M12 15V3.5M8 7l4-3.5L16 7M6 11H4.5v9.5h15V11H18", w.Share))
	if p.PDF {
		d.add("\n", link(Form(`href="Download.ashx{}"`, p.Query), "M12 4v11.5M8 12l4 3.5 4-3.5M4.5 20h15", "PDF"))
	}
	if p.Print {
		d.add("\n", button(`id="print" hidden`, "M7 8V3.5h10V8M7 17H4V8h16v9h-3M7 14h10v6.5H7z", w.Print))
	}
	d.Line(`</div>`)
}

// button is a button of the bars: its attributes, its picture and its name.
func button(attributes, picture HTML, name string) HTML {
	return Form(`<button type="button" class="tip" {}>{}<b>{}</b></button>`, attributes, icon(picture), name)
}

// link is a link that looks as a button.
func link(attributes, picture HTML, name string) HTML {
	return Form(`<a class="button tip" {}>{}<b>{}</b></a>`, attributes, icon(picture), name)
}

// bottom has what is below the pages: where the reader is, and how to go on.
func (p *Paper) bottom(d *document) {
	w := d.Words
	one, two, keys := w.PageOf, w.Spread, "numeric"
	if len(p.Labels) > 0 {
		one, two, keys = w.Page+" (%d/%d)", w.Pages+" %d–%d (%d–%d/%d)", "text"
	}
	d.Line(`<footer lang="{}">
<button type="button" class="edge tip" id="previous" hidden>{}<b>{}</b></button>
<p id="place" role="status" data-page="{}" data-spread="{}" data-failed="{}" data-offline="{}"></p>
<input type="range" id="slider" aria-label="{}"{} hidden>
<input id="number" type="text" inputmode="{}" autocomplete="off" aria-label="{}" hidden>`,
		w.Tag, icon(back), w.Previous, p.ofAll(one), p.ofAll(two), w.Unloaded, w.Offline, w.Pages, p.direction(), keys, w.GoTo)
	d.add("\n", button(`id="pair" hidden`, "M3 5.5h8v13H3zM13 5.5h8v13h-8z", w.TwoPages))
	d.Line(`<button type="button" class="float" id="resume" hidden>{}</button>
<div class="float" id="found" role="group" aria-label="{}" data-hit="{}" hidden>`, w.ContinueAt, w.Search, w.HitOf)
	d.add(button(`data-step="-1"`, back, w.PreviousHit), `<p role="status"></p>`, button(`data-step="1"`, forth, w.NextHit), button(`data-step="0"`, cross, w.EndSearch))
	d.Add(`</div>
<button type="button" class="edge tip" id="next" hidden>{}<b>{}</b></button>
</footer>
<div id="peek" aria-hidden="true" hidden></div>`, icon(forth), w.Next)
}

// mediaBadges are the marks of spots that show a picture, or play a film or sound.
const mediaBadges HTML = `<symbol id="image" viewBox="0 0 24 24"><circle cx="12" cy="12" r="11.5"/><path d="M6 7h12v10H6zM6 15l3.5-3.5 3 3 2-2 3.5 3.5M14.5 9.8v.01"/></symbol>` +
	`<symbol id="video" viewBox="0 0 24 24"><circle cx="12" cy="12" r="11.5"/><path d="M9.5 7.5v9l7-4.5z"/></symbol>` +
	`<symbol id="audio" viewBox="0 0 24 24"><circle cx="12" cy="12" r="11.5"/><path d="M6 10v4h2.5l4 3V7l-4 3zM15 9.5q2 2.5 0 5M17 7.5q4 4.5 0 9"/></symbol>`
