// Package css splits style sheets with github.com/gorilla/css.
package css

import "github.com/gorilla/css/scanner"

// Tokens returns the tokens of a style sheet.
func Tokens(text string) []string {
	var list []string
	for s := scanner.New(text); ; {
		token := s.Next()
		list = append(list, token.String())
		if token.Type == scanner.TokenEOF || token.Type == scanner.TokenError {
			return list
		}
	}
}
