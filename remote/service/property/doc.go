// Package property has the rules for what nodes have besides names and pages: the settings
// ([Settings]), which categories pass on to their descendants, the names and values of custom
// fields ([CheckField], [SetField]), and the products that a paper sells. Operations and imports
// use the same rules.
//
// [ParseProducts] reads a table of products, [ParseProductTag] the address of a PDF link that names
// a product, and [ProductFragment] and [ParseProductFragment] write and read the parameter of a
// paper's link to one.
//
// # Invariants
//
//   - No input is trusted: no function panics, and the size of a table of products is bounded
//     ([MostRows], [MostColumns], [FieldBytes]).
//   - Every returned text of a product is valid in XML.
//
// Nothing changes after its creation, so there are no locks.
package property
