package instrument_test

import (
	"fmt"

	"github.com/fuzzmut/fuzzmut/instrument"
)

// The census of a program is that of its packages.
func ExampleCensus_Add() {
	var parser, printer instrument.Census
	parser.Count(true, "", false)
	parser.Count(false, "cgo file", false)
	printer.Count(false, "logging call", true)
	parser.Add(printer)
	fmt.Println(parser.Sites, parser.LeftOut(), parser.Suppressed())
	fmt.Println(parser.Left)
	// Output:
	// 3 1 1
	// map[cgo file:1]
}

// Golden values name a method by the type that the call names.
func ExampleSite_GoldenName() {
	s := instrument.Site{Name: "(*p.reader).Next", Called: "p.Reader.Next", In: "check", Values: []string{"result 0 (p.token)"}}
	fmt.Println(s.GoldenName())
	fmt.Println(s.GoldenValue(0))
	// Output:
	// p.Reader.Next in check
	// result 0
}
