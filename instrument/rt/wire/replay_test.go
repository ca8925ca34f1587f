package wire

import (
	"strconv"
	"testing"
)

func TestWeighSomeTakesOneInEight(t *testing.T) {
	const all = 8000
	some := 0
	for i := range all {
		input := []byte(strconv.Itoa(i))
		if WeighSome.Takes(input) {
			some++
		}
		if WeighNone.Takes(input) || !WeighAll.Takes(input) || WeighSome.Takes(input) != WeighSome.Takes(input) {
			t.Fatal(i)
		}
	}
	if some < all/10 || some > all/6 {
		t.Errorf("%d of %d", some, all)
	}
}
