// Package rules defines which names, queries, numbers and other values the service accepts, how it
// writes them in answers, and which names it treats as the same. The service enforces these rules, and
// clients check them before they send anything, so that both agree.
//
// [NodeName], [MediaName], [Segment], [FieldName] and [Query] check a text; each caller
// words the [Fault] itself. [Fold] maps names that differ only in case to one form. [ID], [GUID],
// [Decimal], [Typed], [Bool] and [Time] parse a value, [Link] checks an address from others.
// xmlscan.Carries checks what XML 1.0 can carry.
//
// All functions are pure.
package rules
