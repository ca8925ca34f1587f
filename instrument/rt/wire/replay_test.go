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
		took := WeighSome.Takes(input)
		if took {
			some++
		}
		again := WeighSome.Takes(input)
		if WeighNone.Takes(input) || !WeighAll.Takes(input) || again != took {
			t.Fatal(i)
		}
	}
	if some < all/10 || some > all/6 {
		t.Errorf("%d of %d", some, all)
	}
}
