package observe_test

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
)

type item struct {
	Name string
	Tags map[string]bool
	next *item
}

func ExampleObserver_Take() {
	o := observe.New(observe.Options{})
	v := &item{Name: "a", Tags: map[string]bool{"y": true, "x": false}}
	v.next = v
	s := o.Take(v)
	v.Name = "changed later"
	fmt.Print(s.Text())
	// Output:
	// *observe_test.item(&{
	// 	Name: "a"
	// 	Tags: map{
	// 		"x": false
	// 		"y": true
	// 	}
	// 	next: <cycle, 1 up>
	// })
}

func ExampleDiff() {
	a := []item{{Name: "a"}, {Name: "b", Tags: map[string]bool{"x": true}}}
	b := []item{{Name: "a"}, {Name: "b", Tags: map[string]bool{"x": false}}}
	fmt.Println(observe.Diff(observe.Take(a), observe.Take(b)))
	// Output: [1].Tags["x"]: true vs false
}

func ExampleOptions_compare() {
	near := func(a, b float64) bool { return a-b < 0.01 && b-a < 0.01 }
	funcs, err := observe.CompareFuncs([]any{near})
	if err != nil {
		fmt.Println(err)
		return
	}
	o := observe.New(observe.Options{Compare: funcs})
	fmt.Println(funcs[reflect.TypeFor[float64]()] != nil)
	fmt.Println(observe.Equal(o.Take([]float64{1, 2}), o.Take([]float64{1.001, 2})))
	fmt.Println(observe.Equal(o.Take([]float64{1, 2}), o.Take([]float64{1.1, 2})))
	// Output:
	// true
	// true
	// false
}

// The original is recorded once; mutants are compared with it while they run.
func ExampleRecorder() {
	r := observe.NewRecorder(observe.New(observe.Options{}))
	parse := func(mutant bool) {
		if mutant {
			r.Record(7, []any{"a", errors.New("unexpected end")})
			return
		}
		r.Record(7, []any{"a", nil})
	}
	r.Reset()
	parse(false)
	original := r.Log()

	r.ResetAgainst(original)
	parse(true)
	diff, equal := r.Compare(original)
	fmt.Println(equal, diff.Site, diff.Value, diff.Text)
	// Output: false 7 1 nil vs *errors.errorString(error "unexpected end")
}
