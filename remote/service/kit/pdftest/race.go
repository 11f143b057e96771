//go:build race

package pdftest

const race = true
