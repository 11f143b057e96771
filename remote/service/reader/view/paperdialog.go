package view

// dialogs has what scripts open. The contents open without scripts, too.
func (p *Paper) dialogs(d *document) {
	w := d.Words
	d.dialog("thumbs", w.Overview)
	d.add(`<ol></ol></dialog>`)
	if len(p.Contents) > 0 {
		d.Line(`<dialog id="contents" aria-labelledby="contents-title" lang="{}"><h2 id="contents-title">{}</h2><p>{}</p><nav aria-labelledby="contents-title" lang="{}">{}</nav></dialog>`,
			w.Tag, w.Contents, link(`href="#pages"`, cross, w.Close), p.language(), p.Tree())
	}
	p.sharing(d)
	d.dialog("search", w.Search)
	d.Line(`<form id="find" role="search"><label for="phrase">{}</label><input id="phrase" type="text" dir="auto" enterkeyhint="search" autocomplete="off" required><button>{}</button></form>
<p id="hits" role="status" data-found="{}" data-none="{}" data-partly="{}"></p><ol></ol></dialog>`,
		w.Phrase, w.Search, w.Hits.JSON(), w.NoHits, w.Partly)
	if p.Shop != nil {
		p.basket(d)
	}
	d.Line(`<dialog id="item" aria-label="{}"><div tabindex="-1"></div>{}</dialog>`, w.Products, d.closing())
}

// dialog begins a dialog with a title and a button that closes it.
func (d *document) dialog(id, title string) {
	d.Line(`<dialog id="{}" aria-labelledby="{}-title" lang="{}"><h2 id="{}-title">{}</h2>{}`,
		id, id, d.Words.Tag, id, title, d.closing())
}

// closing is what closes a dialog.
func (d *document) closing() HTML {
	return Form(`<form method="dialog" lang="{}"><button class="tip">{}<b>{}</b></button></form>`, d.Tag, icon(cross), d.Words.Close)
}

func (p *Paper) sharing(d *document) {
	w := d.Words
	d.dialog("sharing", w.Share)
	d.Line(`<p><label for="address">{}</label><input id="address" readonly><button type="button" data-copies="address" aria-label="{}: {}">{}</button></p>`,
		w.Address, w.Copy, w.Address, w.Copy)
	if !p.Hidden {
		d.Line(`<p><label for="embed">{}</label><textarea id="embed" rows="4" readonly spellcheck="false"></textarea><button type="button" data-copies="embed" aria-label="{}: {}">{}</button></p>`,
			w.Embed, w.Copy, w.Embed, w.Copy)
	}
	d.Line(`<p><button type="button" id="send" hidden>{}</button></p><p id="copied" role="status" data-done="{}"></p></dialog>`, w.Send, w.Copied)
}

// basket has the dialog in which a reader orders, with what its script says.
func (p *Paper) basket(d *document) {
	w, s := d.Words, p.Shop
	said := thing{"query": p.Query, "currency": s.Currency, "point": w.Point, "amount": w.Amount, "remove": w.Remove, "empty": w.EmptyBasket, "total": w.Total,
		"taken": w.Taken, "put": w.PutIn, "ordered": w.Ordered, "step": w.OneStep, "byHand": w.ByHand, "copy": w.Copy, "copied": w.Copied, "print": w.Print, "back": w.BackToPages,
		"unsure": w.Unsure, "broken": w.Broken, "long": w.Long, "gone": w.Gone + " " + w.Kept}
	if s.Preview {
		said["preview"] = w.OnlyPreview
	}
	hands, thens := thing{}, thing{}
	for _, c := range s.Checkouts {
		hands[c.Type], thens[c.Type] = w.Handovers[c.Type], w.Thens[c.Type]
	}
	said["hands"], said["thens"] = hands, thens
	d.Add(`
<dialog id="basket" aria-labelledby="basket-title" lang="{}" data-paper="{}"><script type="application/json">{}</script><h2 id="basket-title" tabindex="-1">{}</h2>{}
<p id="told" role="status"></p><div id="done" hidden></div><ol></ol><p id="sum"></p><p id="note">{}</p>`, w.Tag, s.Paper, data(said), w.Basket, d.closing(), w.OrderNote)
	for _, c := range s.Checkouts {
		d.Line(`<button type="button" class="go" data-checkout="{}">{}</button>`, c.Type, c.Label(w))
	}
	d.add(`</dialog>`)
}
