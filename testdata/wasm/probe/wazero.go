package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/internal/engine/interpreter"
	wazero "github.com/tetratelabs/wazero/internal/wasm"
	"github.com/tetratelabs/wazero/internal/wasm/binary"

	"github.com/fuzzmut/fuzzmut/testdata/hunt"
	"github.com/fuzzmut/fuzzmut/testdata/wasm/fault"
)

const (
	features = api.CoreFeaturesV2
	mostMem  = 16 // pages of 64 KiB
	fuel     = 10_000
)

// decode decodes a module and validates it. wazero 1.12.0 has index errors on some that
// are not valid, which an embedder has to turn into errors.
func decode(code []byte) (m *wazero.Module, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case runtime.Error:
			m, err = nil, fmt.Errorf("malformed module: %w", p)
		default:
			panic(p)
		}
	}()
	if m, err = binary.DecodeModule(code, features, mostMem, false, false, false); err != nil {
		return nil, err
	}
	return m, m.Validate(features)
}

// nullary lists the functions without parameters that a module exports.
func nullary(m *wazero.Module) (list []wazero.Index) {
	for _, e := range m.ExportSection {
		if e.Type != wazero.ExternTypeFunc || slices.Contains(list, e.Index) {
			continue
		}
		if len(m.TypeSection[m.FunctionSection[e.Index]].Params) == 0 {
			list = append(list, e.Index)
		}
	}
	return list
}

// ending is how a call ends: with results, or with a trap.
type ending struct {
	results []uint64
	trap    string
	noFuel  bool
}

// run calls the functions without parameters of a new instance of a module, up to the
// first that uses up the fuel.
func run(code []byte, m *wazero.Module) (endings []ending) {
	ctx := context.Background()
	engine := interpreter.NewEngine(ctx, features, nil)
	store := wazero.NewStore(features, engine)
	instance, err := instantiate(ctx, store, code, m)
	if err != nil {
		return []ending{{trap: err.Error()}}
	}
	for _, index := range nullary(m) {
		fault.Fuel(fuel)
		results, err := instance.Engine.NewFunction(index).Call(ctx)
		e := ending{results: results, noFuel: errors.Is(err, fault.ErrNoFuel)}
		if err != nil {
			e.trap, _, _ = strings.Cut(err.Error(), "\n") // behind it, the stack
		}
		if endings = append(endings, e); e.noFuel {
			break
		}
	}
	return endings
}

func instantiate(ctx context.Context, store *wazero.Store, code []byte, m *wazero.Module) (*wazero.ModuleInstance, error) {
	m.BuildMemoryDefinitions()
	ids, err := store.GetFunctionTypeIDs(m.TypeSection)
	if err != nil {
		return nil, err
	}
	m.AssignModuleID(code, nil, false)
	if err := store.Engine.CompileModule(ctx, m, nil, false); err != nil {
		return nil, err
	}
	return store.Instantiate(ctx, m, "", nil, ids)
}

// compare says whether two runs are the same, as far as both had fuel.
func compare(a, b []ending) hunt.Outcome {
	for i := range min(len(a), len(b)) {
		switch {
		case a[i].noFuel || b[i].noFuel:
			return hunt.Discarded
		case a[i].trap != b[i].trap || !slices.Equal(a[i].results, b[i].results):
			return hunt.Failed
		}
	}
	return hunt.Passed
}
