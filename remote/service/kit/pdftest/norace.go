//go:build !race

package pdftest

const race = false
