// Package form decodes application/x-www-form-urlencoded bodies while they
// arrive. One field, the bulk field, carries a file in base64 and goes decoded
// to a writer, wherever in the body it stands; memory does not grow with it. With
// Options.Plain the field's value is the file itself, up to the end of the body: so only
// this process sends it to itself.
//
// # Types
//
//   - [Options] say what [Decode] keeps, and where the bulk field goes.
//   - [Form] is what was decoded.
//   - decoder reads the body field by field, base64Decoder the value of the bulk
//     field: long pieces by run.go, what that does not know byte by byte.
//
// # Invariants
//
//   - The rules are those of the platform that the service stands for (service
//     contract, 1.3 and 1.4): names are compared exactly first and without regard
//     to case second, several values of a name are joined by a comma, a malformed
//     percent escape stays as it is. Nothing repairs an unescaped + in base64: it
//     is a blank, as everywhere in a form, and no base64 has one.
//   - How the body is cut into reads changes nothing.
//   - A value that is not base64 ends nothing: the fields after it count, and
//     [Form.Bulk] says what is wrong.
//   - What is kept is bounded, in bytes and in fields, before it is kept.
//
// There are no locks: one goroutine calls Decode, and Open, Lift and the writer
// are called from it.
package form
