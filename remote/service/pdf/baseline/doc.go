// Package baseline encodes pictures as baseline JPEG (ITU-T T.81), in one
// component (grey) or three (YCbCr, 4:2:0).
//
// It exists for its speed on rendered pages: image/jpeg takes half of the time
// that a service spends on a PDF. Most of a page is paper, and a square of one
// colour needs no transform here: it is its DC coefficient and an end of block.
// Everything else is as in image/jpeg: the tables of Annex K, scaled by the
// quality as the IJG's library does.
package baseline
