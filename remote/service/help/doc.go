// Package help writes the answers to GET Group.asmx: pages for people, and the WSDL 1.1
// description for tools; and a description of all operations in JSON. All are made from the operation table.
//
// [Group] and [Operation] write the pages. The page of an operation that carries a file has a
// [Recipe] for each kind of program. [WSDL] writes a [Description].
// [OpenAPI] describes operations and their answers.
package help
