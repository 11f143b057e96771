// Package rules says which names, queries and numbers the service accepts, and which
// names it takes for the same. The service refuses by these rules, and a client checks
// them before it sends anything, so both agree.
//
// [NodeName], [MediaName], [Segment], [FieldName] and [Query] judge; each caller says in its
// own words what a [Fault] means. [Fold] maps names that differ only in case
// to one form. What XML 1.0 can carry is xmlscan.Carries.
//
// All of it is pure functions.
package rules
