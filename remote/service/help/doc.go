// Package help writes what GET Group.asmx answers: pages for people, and the
// WSDL 1.1 description for tools, both from the operation table.
//
// [Group] and [Operation] are the pages; that of an operation which carries a file has
// a [Recipe] for each kind of program. [WSDL] writes what a [Description] says.
package help
