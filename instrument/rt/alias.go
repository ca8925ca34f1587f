package fuzzmutrt

import "unsafe"

// Names for the predeclared types, for rewritten code in places where another
// declaration hides them.
type (
	Bool_       = bool
	String_     = string
	Int_        = int
	Int8_       = int8
	Int16_      = int16
	Int32_      = int32
	Int64_      = int64
	Uint_       = uint
	Uint8_      = uint8
	Uint16_     = uint16
	Uint32_     = uint32
	Uint64_     = uint64
	Uintptr_    = uintptr
	Float32_    = float32
	Float64_    = float64
	Complex64_  = complex64
	Complex128_ = complex128
	Any_        = any
	Error_      = error
	Pointer_    = unsafe.Pointer
)
