// Package form decodes application/x-www-form-urlencoded bodies as they arrive. One field, the
// bulk field, carries a file in base64. The decoder writes it, decoded, to a writer, wherever in
// the body it is, so memory does not grow with it. With Options.Boundary the body is multipart/form-data, whose last
// part is the file itself.
//
// [FromJSON] makes such a body of a JSON object, as it arrives.
// [ParseDocument] decodes the XML document that a parameter may be.
//
// # Types
//
//   - [Options] say what [Decode] keeps, and where the bulk field goes.
//   - [Form] is a decoded body.
//   - decoder reads the body field by field (multipart.go: part by part), base64Decoder the value of the bulk field:
//     whole groups of digits at once, escapes and all else byte by byte.
//
// # Invariants
//
//   - The rules are those of the platform that the service replaces (service contract, 1.3
//     and 1.4): names are compared exactly first and ignoring case second, multiple values
//     of a name are joined by commas, a malformed percent escape stays unchanged. Nothing
//     repairs an unescaped + in base64: it is a space, as everywhere in a form, which is
//     not valid in base64.
//   - The sizes of the reads do not matter.
//   - A value that is not base64 does not end decoding: the fields after it count, and
//     [Form.Bulk] returns the fault.
//   - What is kept is limited, in bytes and in fields, before it is kept.
//
// There are no locks: one goroutine calls Decode, and Decode calls Open, Lift and the writer in
// it.
package form
