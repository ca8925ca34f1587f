package fuzzmutrt

import "embed"

// Source is the runtime's own source, for injection. This file is left out then:
// it is the only one that imports more than unsafe.
//
//go:embed *.go codes/*.go failure/*.go golden/*.go havoc/*.go loop/*.go observe/*.go oracle/*.go study/*.go wire/*.go hook/*.txt
var Source embed.FS
