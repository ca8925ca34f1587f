package fuzzmutrt

// As is v as the type of like, whose value is not used.
func As[T any](like, v T) T { return v }

// AsBool is v as the type of like.
func AsBool[T, B ~bool](like T, v B) T { return T(v) }
