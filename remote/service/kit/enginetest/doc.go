// Package enginetest runs the engines of package engine for tests: PostgreSQL, one cluster per test program, on a
// socket of its own, and one database per test; and an object store, versitygw on a temporary directory. It also
// counts what goes to the one, loses what goes to the other, and damages it.
package enginetest
