// Package xmlscan reads the XML that the service sends, and that is sent to
// the service in SOAP, as a stream.
//
// A [Scanner] is a pull parser: [Scanner.Next] goes to the next tag or piece of
// text, [Scanner.EachChild] and [Scanner.EachBelow] visit elements, and
// [Scanner.Scalar], [Scanner.TextLeaf] and the Attr methods read values.
// [Decode] turns what an answer comes in into UTF-8 before, [Escape] writes
// text, and [Carries] tells whether XML 1.0 can carry it.
//
// # Invariants
//
//   - Memory does not grow with the document: one tag, or one piece of text, is
//     held at a time, each bounded. Only a captured element is held whole.
//   - What is read up to [EOF] was well-formed; nothing that is cut off is.
//     Of the XML declaration nothing is checked: [Decode] takes the encoding
//     from it, and any version is read as 1.0.
//   - There is no document type, and no entity but the five of XML and
//     references to characters.
//   - What is read does not depend on how the bytes arrive.
//
// encoding/xml holds a text as one token, which for a wrapped tree is all of
// it.
//
// A Scanner is used by one goroutine. There are no locks.
package xmlscan
