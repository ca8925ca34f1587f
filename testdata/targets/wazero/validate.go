package wazero

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// maxPages is the largest memory a module may ask for, in pages of 64 KiB.
const maxPages = 16

// Summary describes an accepted module.
type Summary struct {
	Name    string
	Imports []string // signatures of the imported functions, in order
	Exports []string // signatures of the exported functions, sorted
	Memory  []string // exported memories, sorted
}

// Validate decodes and validates a module, but does not run it. Each call has a
// runtime of its own, so that nothing is remembered between calls.
//
//fuzzmut:target
func Validate(module []byte) (s Summary, err error) {
	ctx := context.Background()
	config := wazero.NewRuntimeConfigInterpreter().WithMemoryLimitPages(maxPages)
	r := wazero.NewRuntimeWithConfig(ctx, config)
	defer r.Close(ctx)
	m, err := r.CompileModule(ctx, module)
	if err != nil {
		return s, err
	}
	defer m.Close(ctx)
	s.Name = m.Name()
	for _, def := range m.ImportedFunctions() {
		s.Imports = append(s.Imports, signature(def))
	}
	for name, def := range m.ExportedFunctions() {
		s.Exports = append(s.Exports, name+" "+signature(def))
	}
	for name, def := range m.ExportedMemories() {
		limit, capped := def.Max()
		s.Memory = append(s.Memory, fmt.Sprint(name, def.Min(), limit, capped))
	}
	slices.Sort(s.Exports)
	slices.Sort(s.Memory)
	return s, nil
}

func signature(def api.FunctionDefinition) string {
	module, name, _ := def.Import()
	return fmt.Sprintf("%s.%s %d %x %x", module, name, def.Index(), def.ParamTypes(), def.ResultTypes())
}

// The largest numbers that Affordable lets pass, in code and elsewhere. Code has
// the wider limit because its opcodes and constants look like large numbers.
const (
	codeLimit  = 1 << 21
	otherLimit = 1 << 16
)

// Affordable says whether the decoder can be trusted with the module. It makes two
// mistakes before it looks at what is there:
//
//   - It allocates as many elements as a count says, up to gigabytes. Any position
//     may hold a count, so that all numbers must be small; a few harmless modules
//     with large constants are lost too.
//   - It panics when a local of a reference type runs over the end of its function.
//     Their bytes are refused from the code on; they are also f64.lt, f64.gt, 'c'
//     and 'd'.
func Affordable(module []byte) bool {
	lo, hi := codeSection(module)
	for i, b := range module {
		limit := uint64(otherLimit)
		if lo <= i && i < hi {
			limit = codeLimit
		}
		if n, size := binary.Uvarint(module[i:]); size < 0 || size > 0 && n >= limit {
			return false
		}
		if i >= lo && (b == refNull || b == refNonNull) {
			return false
		}
	}
	return true
}

// The prefixes of reference types.
const refNull, refNonNull = 0x63, 0x64

// codeSection returns the range of the function bodies in the module. If there
// are none, it begins at the end of the module.
func codeSection(module []byte) (lo, hi int) {
	const header, codeID = 8, 10
	for i := header; i < len(module); {
		id := module[i]
		size, n := binary.Uvarint(module[i+1:])
		if n <= 0 {
			break
		}
		i += 1 + n
		end := i + int(min(size, uint64(len(module)-i)))
		if id == codeID {
			return i, end
		}
		i = end
	}
	return len(module), len(module)
}
