// Package nested cuts HTML into tokens with github.com/tdewolff/parse/v2/html.
package nested

import (
	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/html"
)

// A Token is a part of a document.
type Token struct{ Kind, Text string }

// Tokens returns the tokens of a document.
func Tokens(text string) (list []Token) {
	l := html.NewLexer(parse.NewInputString(text))
	for {
		kind, data := l.Next()
		if kind == html.ErrorToken {
			return list
		}
		list = append(list, Token{kind.String(), string(data)})
	}
}
