// Package rules defines which names, queries and numbers the service accepts, and which
// names it treats as the same. The service enforces these rules, and clients check them
// before they send anything, so that both agree.
//
// [NodeName], [MediaName], [Segment], [FieldName] and [Query] check a text; each caller
// words the [Fault] itself. [Fold] maps names that differ only in case to one form.
// xmlscan.Carries checks what XML 1.0 can carry.
//
// All functions are pure.
package rules
