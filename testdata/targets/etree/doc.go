// Package etree fuzzes beevik/etree v1.8.1, a document tree over encoding/xml.
//
// What was read must print, and the elements of a document must be found again
// in its copy.
//
// mutate: github.com/beevik/etree
// mutate: encoding/xml
package etree
