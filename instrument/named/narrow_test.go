package named

import (
	"go/types"
	"testing"
)

func TestNarrow(t *testing.T) {
	own := types.NewNamed(types.NewTypeName(0, nil, "Own", nil), types.Typ[types.Int], nil)
	for _, c := range []struct {
		t      types.Type
		number string
		want   bool
	}{
		{types.Typ[types.Int], "2147483647", true},
		{types.Typ[types.Int], "2147483648", false},
		{types.Typ[types.Int], "-2147483648", true},
		{types.Typ[types.Int], "-2147483649", false},
		{own, "4294967296", false},
		{types.Typ[types.Uint], "4294967295", true},
		{types.Typ[types.Uint], "18446744073709551615", false},
		{types.Typ[types.Uint64], "18446744073709551615", true},
		{types.Typ[types.Int64], "-9223372036854775808", true},
		{types.Typ[types.String], "text", true},
		{types.NewSlice(types.Typ[types.Int]), "[]", true},
	} {
		if got := Narrow(c.t, c.number); got != c.want {
			t.Errorf("Narrow(%v, %s) = %t", c.t, c.number, got)
		}
	}
}
