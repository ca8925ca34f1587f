package wire

// Trim asks for a smaller input that fails in the same stack.
type Trim struct {
	Input []byte
	Execs int   // at most
	Fuel  int64 // at most, over all executions
}

// Trimmed is the smallest such input found: the one given, at worst.
type Trimmed struct {
	Input []byte
	Stats Stats
}
