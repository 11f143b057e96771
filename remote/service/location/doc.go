// Package location finds nodes of a tenant's tree together with their addresses, in the
// order of the tree ([Walk], [InOrder]).
//
// A [Node] keeps no address. It makes its address when [Node.URL] asks for it: the
// addresses of a deep tree would take memory with the square of its depth.
package location
