package wazero

import (
	"context"
	"encoding/binary"
	"fmt"
	"runtime"
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
	m, err := compile(ctx, r, module)
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

// compile is CompileModule without its panics. wazero 1.12.0 has index errors on
// malformed modules, as in a call of a function whose type does not exist; an
// embedder that is given such modules has to turn them into errors.
func compile(ctx context.Context, r wazero.Runtime, module []byte) (m wazero.CompiledModule, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case runtime.Error:
			m, err = nil, fmt.Errorf("malformed module: %w", p)
		default:
			panic(p)
		}
	}()
	return r.CompileModule(ctx, module)
}

// Affordable says whether the numbers in the module are small. The decoder
// allocates as many elements as a count in the module says, up to gigabytes,
// before it looks whether they are there. Any position may hold a count, so that
// a few harmless modules with large constants are lost too.
func Affordable(module []byte) bool {
	lo, hi := codeSection(module)
	for i := range module {
		limit := uint64(otherLimit)
		if lo <= i && i < hi {
			limit = codeLimit
		}
		if n, size := binary.Uvarint(module[i:]); size < 0 || size > 0 && n >= limit {
			return false
		}
	}
	return true
}

// codeSection returns the range of the code section in the module. It is empty
// if there is none.
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
	return 0, 0
}
