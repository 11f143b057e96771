// Package rules has what the service takes as a name, as a query and as a number,
// and which names it takes for one. The service refuses by them, and a client asks
// them before it sends anything, so that both agree.
//
// [NodeName], [MediaName], [Segment], [FieldName] and [Query] judge; each caller says in its
// own words what a [Fault] means. [Fold] maps names that differ only in case
// to one form. What XML 1.0 can carry is xmlscan.Carries.
//
// All of it is pure functions.
package rules
