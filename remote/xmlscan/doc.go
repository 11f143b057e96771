// Package xmlscan reads XML as a stream: the service's answers, and the SOAP requests to
// the service.
//
// A [Scanner] is a pull parser: [Scanner.Next] goes to the next tag or piece of
// text, [Scanner.EachChild] and [Scanner.EachBelow] visit elements, and
// [Scanner.Scalar], [Scanner.TextLeaf] and the Attr methods read values.
// [Decode] converts an answer to UTF-8 first. [Escape] writes text, and [Carries] reports
// whether XML 1.0 can carry it.
//
// # Invariants
//
//   - Memory does not grow with the document: a scanner holds one tag or one piece of
//     text, each bounded. It holds only a captured element as a whole.
//   - A document that was read up to [EOF] was well-formed; a document that is cut off is
//     not. The scanner checks nothing of the XML declaration: [Decode] takes the encoding
//     from it, and any version is read as 1.0.
//   - It refuses a document type, and any entity except the five of XML and references to
//     characters.
//   - The result does not depend on how the bytes arrive.
//
// encoding/xml would hold each text as one token: all of a wrapped tree.
//
// A Scanner is used by one goroutine. There are no locks.
package xmlscan
