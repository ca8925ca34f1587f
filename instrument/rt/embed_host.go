package fuzzmutrt

import "embed"

// Source is the runtime's own source, for injection. This file is left out then:
// it is the only one that imports more than unsafe.
//
//go:embed *.go codes/*.go failure/*.go golden/*.go havoc/*.go observe/*.go oracle/*.go pump/*.go sides/*.go study/*.go wire/*.go hook/*.txt
//go:embed loop/*.go loop/budget/*.go loop/conn/*.go loop/cost/*.go loop/coverage/*.go loop/exec/*.go loop/filter/*.go
//go:embed loop/fuzzing/*.go loop/mutants/*.go loop/profile/*.go loop/reduce/*.go loop/repair/*.go loop/tests/*.go loop/values/*.go
var Source embed.FS
