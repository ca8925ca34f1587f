package fuzzmutrt

// The helpers below are those without the type at the end of their names, for one
// type.

//go:norace
//go:noinline
func CmpInt(base uint32, alts uint64, what uint64, x, y int) bool { return Cmp(base, alts, what, x, y) }

//go:norace
//go:noinline
func CmpInt32(base uint32, alts uint64, what uint64, x, y int32) bool {
	return Cmp(base, alts, what, x, y)
}

//go:norace
//go:noinline
func CmpInt64(base uint32, alts uint64, what uint64, x, y int64) bool {
	return Cmp(base, alts, what, x, y)
}

//go:norace
//go:noinline
func CmpUint8(base uint32, alts uint64, what uint64, x, y uint8) bool {
	return Cmp(base, alts, what, x, y)
}

//go:norace
//go:noinline
func CmpUint32(base uint32, alts uint64, what uint64, x, y uint32) bool {
	return Cmp(base, alts, what, x, y)
}

//go:norace
//go:noinline
func CmpUint64(base uint32, alts uint64, what uint64, x, y uint64) bool {
	return Cmp(base, alts, what, x, y)
}

//go:norace
//go:noinline
func CmpString(base uint32, alts uint64, what uint64, x, y string) bool {
	return Cmp(base, alts, what, x, y)
}

//go:norace
//go:noinline
func ArithIInt(base uint32, alts uint64, op uint64, x, y int) int {
	return ArithI(base, alts, op, x, y)
}

//go:norace
//go:noinline
func ArithIInt32(base uint32, alts uint64, op uint64, x, y int32) int32 {
	return ArithI(base, alts, op, x, y)
}

//go:norace
//go:noinline
func ArithIInt64(base uint32, alts uint64, op uint64, x, y int64) int64 {
	return ArithI(base, alts, op, x, y)
}

//go:norace
//go:noinline
func ArithIUint8(base uint32, alts uint64, op uint64, x, y uint8) uint8 {
	return ArithI(base, alts, op, x, y)
}

//go:norace
//go:noinline
func ArithIUint32(base uint32, alts uint64, op uint64, x, y uint32) uint32 {
	return ArithI(base, alts, op, x, y)
}

//go:norace
//go:noinline
func ArithIUint64(base uint32, alts uint64, op uint64, x, y uint64) uint64 {
	return ArithI(base, alts, op, x, y)
}

//go:norace
//go:noinline
func IncInt(id uint32, op uint64, x int) int { return Inc(id, op, x) }

//go:norace
//go:noinline
func IncInt32(id uint32, op uint64, x int32) int32 { return Inc(id, op, x) }

//go:norace
//go:noinline
func IncInt64(id uint32, op uint64, x int64) int64 { return Inc(id, op, x) }

//go:norace
//go:noinline
func IncUint8(id uint32, op uint64, x uint8) uint8 { return Inc(id, op, x) }

//go:norace
//go:noinline
func IncUint32(id uint32, op uint64, x uint32) uint32 { return Inc(id, op, x) }

//go:norace
//go:noinline
func IncUint64(id uint32, op uint64, x uint64) uint64 { return Inc(id, op, x) }

//go:norace
//go:noinline
func NumInt(base uint32, alts uint64, v int) int { return Num(base, alts, v) }

//go:norace
//go:noinline
func NumInt32(base uint32, alts uint64, v int32) int32 { return Num(base, alts, v) }

//go:norace
//go:noinline
func NumInt64(base uint32, alts uint64, v int64) int64 { return Num(base, alts, v) }

//go:norace
//go:noinline
func NumUint8(base uint32, alts uint64, v uint8) uint8 { return Num(base, alts, v) }

//go:norace
//go:noinline
func NumUint32(base uint32, alts uint64, v uint32) uint32 { return Num(base, alts, v) }

//go:norace
//go:noinline
func NumUint64(base uint32, alts uint64, v uint64) uint64 { return Num(base, alts, v) }

//go:norace
//go:noinline
func ConcatString(base uint32, alts uint64, x, y string) string { return Concat(base, alts, x, y) }

//go:norace
//go:noinline
func Lit1String(id uint32, v, a string) string { return Lit1(id, v, a) }

//go:norace
//go:noinline
func RetInt(id uint32, v int) int { return Ret(id, v) }

//go:norace
//go:noinline
func RetString(id uint32, v string) string { return Ret(id, v) }

//go:norace
//go:noinline
func RetError(id uint32, v error) error { return Ret(id, v) }

//go:norace
//go:noinline
func AltInt(base uint32, v int, alts ...int) int { return Alt(base, v, alts...) }

//go:norace
//go:noinline
func AltError(base uint32, v error, alts ...error) error { return Alt(base, v, alts...) }

//go:norace
//go:noinline
func IndexInt(base uint32, alts uint64, i, n int) int { return Index(base, alts, i, n) }

//go:norace
//go:noinline
func IndexUint8(base uint32, alts uint64, i uint8, n int) uint8 { return Index(base, alts, i, n) }

//go:norace
//go:noinline
func BoundInt(base uint32, alts uint64, v, absent int) int { return Bound(base, alts, v, absent) }

//go:norace
//go:noinline
func TagInt(what uint64, labels string, tag int) int { return Tag(what, labels, tag) }

//go:norace
//go:noinline
func TagInt32(what uint64, labels string, tag int32) int32 { return Tag(what, labels, tag) }

//go:norace
//go:noinline
func TagUint8(what uint64, labels string, tag uint8) uint8 { return Tag(what, labels, tag) }

//go:norace
//go:noinline
func TagString(what uint64, labels string, tag string) string { return Tag(what, labels, tag) }
