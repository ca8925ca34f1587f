// Package tables splits text by tables that are made when it is initialised.
package tables

// Class is what a byte is.
type Class uint8

// The classes.
const (
	Other Class = iota
	Digit
	Letter
)

var classes = build("0123456789", "abcdefghijklmnopqrstuvwxyz_")

func build(sets ...string) [256]Class {
	var table [256]Class
	for i := 0; i < len(sets); i++ {
		for _, c := range []byte(sets[i]) {
			table[c] = Class(i + 1)
		}
	}
	return table
}

// longest is the number of bytes that a token may have, spare what may lie behind.
var (
	longest = 8
	spare   = longest * 2
)

var names [3]string

func init() {
	names[Digit] = "number"
	names[Letter] = "word"
}

// Tokens names the tokens of s.
func Tokens(s string) []string {
	var list []string
	for i := 0; i < len(s) && i < longest+spare; {
		c := classes[s[i]]
		start := i
		for i < len(s) && classes[s[i]] == c && i-start < longest {
			i++
		}
		list = append(list, names[c])
	}
	return list
}
