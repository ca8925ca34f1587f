package main

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"reflect"
	"unsafe"

	"github.com/fuzzmut/fuzzmut/fuzzmut/derive"
	"github.com/fuzzmut/fuzzmut/testdata/wasm"
)

// body is a module of one function, which is exported, with a result or without.
func body(results []wasm.ValueType, code ...wasm.Instr) wasm.Module {
	return wasm.Module{
		Types:   []wasm.FuncType{{Results: results}},
		Funcs:   []wasm.Func{{Body: code}},
		Exports: []wasm.Export{{Kind: wasm.ExternFunc}},
	}
}

// withMem is the module with a memory.
func withMem(m wasm.Module) wasm.Module {
	m.Mems = []wasm.Limits{{Min: 1}}
	return m
}

// withLocal is the module with a local variable in its function.
func withLocal(m wasm.Module) wasm.Module {
	m.Funcs[0].Locals = []wasm.ValueType{wasm.I32}
	return m
}

// counterexamples has the smallest ones for each fault, or nearly so.
func counterexamples() [faults + 1][]wasm.Module {
	one, zero := wasm.I32Const{Value: 1}, wasm.I32Const{}
	i32 := []wasm.ValueType{wasm.I32}
	return [...][]wasm.Module{
		{},
		{body(nil, zero, wasm.If{Else: []wasm.Instr{zero}})},
		{body(nil, zero, wasm.Nop{})},
		{body(i32)},
		{{Mems: []wasm.Limits{{}, {}}}},
		{{Exports: []wasm.Export{{Kind: wasm.ExternFunc}}}},
		{body(i32, wasm.Test{Op: wasm.I64Eqz}, wasm.Return{})},
		{body(i32, zero, wasm.Binary{Op: wasm.I32Add}, wasm.Return{})},
		{body(i32, wasm.MemorySize{}, wasm.Return{})},
		{body(i32, wasm.I64Const{}, wasm.Return{})},
		{
			body(i32, zero, wasm.Load{Op: wasm.I32Load}, wasm.Return{}),
			withMem(body(i32, zero, wasm.Load{Op: wasm.I32Load, Arg: wasm.MemArg{Align: 3}}, wasm.Return{})),
		},
		{body(i32, one, one, wasm.Binary{Op: wasm.I32Sub})},
		{body(i32, zero, zero, wasm.Compare{Op: wasm.I32LtU})},
		{body(i32, one, zero, wasm.Binary{Op: wasm.I32ShrU})},
		{withLocal(body(i32, wasm.LocalGet{}))},
		{withMem(body(i32, wasm.I32Const{Value: -1}, wasm.Load{Op: wasm.I32Load8S}))},
	}
}

// printExamples prints what becomes of the counterexamples with their fault, and
// without any.
func printExamples() {
	for n, list := range counterexamples() {
		for i := range list {
			fmt.Println(n, check(n)(&list[i]), check(0)(&list[i]))
		}
	}
}

// printVerdicts prints how many of n drawn modules the validator accepts, and a hash of
// all that it says of them.
func printVerdicts(n int) error {
	reg := derive.NewRegistry()
	if err := wasm.Register(reg); err != nil {
		return err
	}
	codec, err := reg.Of(reflect.TypeFor[wasm.Module]())
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(1, 1))
	hash, valid := sha256.New(), 0
	for range n {
		var m wasm.Module
		codec.Set(unsafe.Pointer(&m), codec.Type().Draw(r, size))
		_, err := decode(m.Encode())
		if err == nil {
			valid++
		}
		fmt.Fprintln(hash, err)
	}
	fmt.Printf("%d are valid, and what is said of all has the hash %.8x; ", valid, hash.Sum(nil))
	return nil
}
