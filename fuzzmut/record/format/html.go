package format

import browser "github.com/fuzzmut/fuzzmut/fuzzmut/record/format/page"

// HTML is for people, in a browser.
var HTML = File{Flag: "html", Usage: "write the result as an HTML page to `file`", Writer: browser.Format{}}
