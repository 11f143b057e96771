package view

import (
	"cmp"
	"io"
	"strings"
)

// document is a page that is being written.
type document struct {
	Markup
	Words
	base string // relative address of the service's base
}

// document begins a page in the frame's language.
func (f *Frame) document() *document {
	return &document{Words: f.Words(), base: strings.Repeat("../", f.Depth)}
}

// flush writes what there is of the page.
func (d *document) flush(w io.Writer) error {
	_, err := w.Write(d.Markup)
	d.Markup = d.Markup[:0]
	return err
}

// asset returns the address of an asset.
func (d *document) asset(name string) Address { return Address(d.base + AssetPath(name)) }

// begin begins the head of a page: lang is the page's language, and more are other attributes of its first element.
func (d *document) begin(f *Frame, lang string, more HTML) {
	d.Add(`<!DOCTYPE html>
<html lang="{}"{}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="{}">`, lang, more, cmp.Or(f.Scheme(), "light dark"))
}

// beginOwn begins a page that has no content of the publisher, so that no search engine shows it.
func (d *document) beginOwn(f *Frame) {
	d.begin(f, d.Tag, Form(` class="shelf{}"`, with(" {}", f.Scheme())))
	d.Line(`<meta name="robots" content="noindex">`)
}

// named has what search engines and shared links say of a page.
func (d *document) named(f *Frame, more HTML) {
	d.Line(`<title>{}</title>
<link rel="canonical" href="{}">{}
<meta name="description" content="{}">{}
<meta property="og:title" content="{}">
<meta property="og:url" content="{}">{}{}`, f.Title, f.Canonical, when(f.Hidden, `
<meta name="robots" content="noindex">`), cmp.Or(f.Description, f.Title), more, f.Title, f.Canonical, with(`
<meta property="og:description" content="{}">`, f.Description), with(`
<meta property="og:site_name" content="{}">`, f.Site))
}

// tab has the picture of the window's tab.
func (d *document) tab(f *Frame) {
	if f.Favicon != "" {
		d.Line(`<link rel="icon" href="{}{}">`, d.base, f.Favicon)
		return
	}
	d.Line(`<link rel="icon" type="image/svg+xml" href="{}">`, d.asset("icon.svg"))
}

// look has the style sheets of a page, and the publisher's colours.
func (d *document) look(f *Frame, sheets ...string) {
	for _, name := range sheets {
		d.Line(`<link rel="stylesheet" href="{}">`, d.asset(name))
	}
	d.add(f.Colours())
}

// body ends the head, and begins the body.
func (d *document) body(f *Frame, attributes HTML) {
	d.add(`
</head>
<body`, attributes, with(` bgcolor="{}"`, f.Background), ">")
}

// whose has the name of what a page is about.
func (d *document) whose(f *Frame) {
	if f.Name != "" {
		d.Line(`<p class="whose" lang="{}" dir="auto">{}</p>`, f.language(), f.Name)
	}
}

// icon returns the picture of a button, from the path of its lines.
func icon(path HTML) HTML {
	return `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="` + path + `"/></svg>`
}

const (
	lens  HTML = "M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM20 20l-4.7-4.7"
	book  HTML = "M3 5c3-1 6-1 9 1 3-2 6-2 9-1v14c-3-1-6-1-9 1-3-2-6-2-9-1zM12 6v14"
	back  HTML = "M14.5 5.5 8 12l6.5 6.5"
	forth HTML = "M9.5 5.5 16 12l-6.5 6.5"
	cross HTML = "M6 6l12 12M18 6 6 18"
)
