// Package wazero fuzzes the WebAssembly decoder and validator of wazero v1.12.0.
//
// They are internal packages, so that the fuzz test calls the public API through
// Validate, whose results are the ones to observe. A module must be accepted or
// refused in the same way twice, only with the right header, and describe its
// exports consistently.
//
// mutate: github.com/tetratelabs/wazero/internal/wasm
// mutate: github.com/tetratelabs/wazero/internal/wasm/binary
// mutate: github.com/tetratelabs/wazero/internal/leb128
package wazero
