package view

import (
	"fmt"
	"math"
	"strconv"
)

// legible is the least contrast of text (WCAG 2.2, 1.4.3).
const legible = 4.5

// The surfaces on which links are hardest to read: the darkest one of the light stage, and the lightest one of the
// dark stage (reader.css).
var (
	lightSurface = colour{0xd9, 0xd6, 0xd1}
	darkSurface  = colour{0x3a, 0x3c, 0x41}
	black        = colour{}
	white        = colour{255, 255, 255}
)

// colour is red, green and blue, each from 0 to 255.
type colour [3]float64

// colourOf reads #rgb or #rrggbb.
func colourOf(text string) (c colour, ok bool) {
	if len(text) == 4 {
		text = string([]byte{'#', text[1], text[1], text[2], text[2], text[3], text[3]})
	}
	if len(text) != 7 || text[0] != '#' {
		return c, false
	}
	n, err := strconv.ParseUint(text[1:], 16, 32)
	return colour{float64(n >> 16), float64(n >> 8 & 255), float64(n & 255)}, err == nil
}

func (c colour) String() string {
	return fmt.Sprintf("#%02x%02x%02x", int(c[0]+.5), int(c[1]+.5), int(c[2]+.5))
}

// luminance is as WCAG defines it.
func (c colour) luminance() float64 {
	var parts [3]float64
	for i, v := range c {
		if v /= 255; v <= .04045 {
			parts[i] = v / 12.92
		} else {
			parts[i] = math.Pow((v+.055)/1.055, 2.4)
		}
	}
	return .2126*parts[0] + .7152*parts[1] + .0722*parts[2]
}

func contrast(a, b colour) float64 {
	high, low := a.luminance(), b.luminance()
	return (max(high, low) + .05) / (min(high, low) + .05)
}

// readable returns the colour, mixed with another one until it is legible on a surface.
func (c colour) readable(on, with colour) colour {
	mixed := c
	for part := 1; part <= 20 && contrast(mixed, on) < legible+.1; part++ { // the result is rounded
		for i := range mixed {
			mixed[i] = c[i] + (with[i]-c[i])*float64(part)/20
		}
	}
	return mixed
}

// over returns the colour of text on this one: black or white, of which one is always legible.
func (c colour) over() colour {
	if contrast(c, white) >= contrast(c, black) {
		return white
	}
	return black
}

// Style returns the style sheet with the publisher's colours; "" for none.
func (f Frame) Style() string {
	c, ok := colourOf(f.Accent)
	if !ok {
		return ""
	}
	return fmt.Sprintf(":root{--accent:%s;--on:%s;--link:light-dark(%s,%s);--band:var(--accent);--on-band:var(--on);--slide:var(--on)}", c, c.over(), c.readable(lightSurface, black), c.readable(darkSurface, white))
}

// Colours returns the element with the style sheet. Its content is exactly that of Style: the policy has its hash.
func (f Frame) Colours() HTML {
	if style := f.Style(); style != "" {
		return HTML("\n<style>" + style + "</style>")
	}
	return ""
}

// Scheme returns the class of a page whose publisher chose a stage; or "".
func (f Frame) Scheme() string {
	if f.Stage == "light" || f.Stage == "dark" {
		return f.Stage
	}
	return ""
}
