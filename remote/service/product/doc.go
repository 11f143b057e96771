// Package product reads and writes the products that a paper sells: [Parse] reads a
// table of products, [ParseTag] the address of a PDF link that names a product, and
// [Fragment] and [ParseFragment] write and read the parameter of a paper's link to one.
//
// # Invariants
//
//   - No input is trusted: no function panics, and the size of a table is bounded
//     ([MostRows], [MostColumns], [FieldBytes]).
//
//   - Every returned text is valid in XML.
//
// Nothing changes after its creation, so there are no locks.
package product
