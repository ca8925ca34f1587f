// Package goldmark fuzzes yuin/goldmark v1.8.7 with GFM, footnotes, definition
// lists, typographer and heading IDs, in its safe mode.
//
// Conversion never fails, repeats itself, opens as many paragraphs as it closes,
// and lets no raw script element through.
//
// mutate: github.com/yuin/goldmark
// mutate: github.com/yuin/goldmark/parser
// mutate: github.com/yuin/goldmark/renderer/html
// mutate: github.com/yuin/goldmark/extension
// mutate: github.com/yuin/goldmark/text
// mutate: github.com/yuin/goldmark/util
package goldmark
