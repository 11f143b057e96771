// Package baseline encodes pictures as baseline JPEG (ITU-T T.81), in one
// component (grey) or three (YCbCr, 4:2:0).
//
// It is faster than image/jpeg on rendered pages: image/jpeg would take half of
// the time that a service spends on a PDF. Most of a page is blank, and a square
// of one colour needs no transform: it is a DC coefficient and an end of block.
// The steps are as in image/jpeg: those of Annex K, scaled by the quality as in the
// IJG's library. The codes are those that suit the picture, which makes a dense
// page of text a sixteenth smaller than with the codes of Annex K.
//
// An encoder belongs to one call, so there are no locks.
package baseline
