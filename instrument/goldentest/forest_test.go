package goldentest

import (
	"errors"
	"strconv"
	"time"
)

// Trees have values of all kinds that a literal does not show: held by interfaces, beside fields
// that are not exported, in maps and in cycles. TestPartsOfResults writes tests of them, and
// compiles this file as a package.

// Tree is a value of an interface.
type Tree interface{ Height() int }

// Weight is a number with a name and a text.
type Weight float32

func (w Weight) String() string { return strconv.Itoa(int(w)) + " kg" }

// Oak is a Tree as a pointer.
type Oak struct {
	Name     string
	Years    []int8
	Best     Weight
	Next     Tree
	Up       *Oak
	By       map[string]Tree
	At       time.Time
	Why      error
	Any      any
	Call     func()
	Listed   [2]Tree
	Fault    *Rot
	Counted  map[int]*Fir
	Complex  complex64
	Pointed  *int
	Branches []Tree
	secret   int
}

// Height is what a method returns of a field that is not exported.
func (o *Oak) Height() int { return o.secret }

// Fir is a Tree as a value.
type Fir struct {
	Needles int
	hidden  string
}

// Height is of a value.
func (f Fir) Height() int { return len(f.hidden) }

// Label has a pointer receiver: what has no address has no such method.
func (f *Fir) Label() string { return f.hidden + "!" }

// Rot is an error.
type Rot struct{ Depth int }

func (r *Rot) Error() string { return "rot " + strconv.Itoa(r.Depth) }

// Blight is what is wrong with several trees.
type Blight []*Rot

func (b Blight) Error() string { return strconv.Itoa(len(b)) + " trees" }

// Seen has a place that its text does not name.
type Seen struct {
	Tree string
	At   Spot
	By   *Spot
}

// Spot is a place.
type Spot struct{ Row, Col int }

func (s Seen) Error() string { return "seen " + s.Tree }

// Inspect returns an error of a type, and one of any.
func Inspect(n int) (Blight, error) {
	switch n {
	case 1:
		return Blight{{1}, {2}}, Seen{"oak", Spot{3, 4}, nil}
	case 2:
		return nil, errors.New("nobody looked")
	}
	return Blight{}, nil
}

// Plant returns a tree with a number.
func Plant(n int) (*Oak, Tree, error) {
	one := 1
	o := &Oak{Name: "o\n" + strconv.Itoa(n), Best: Weight(n) / 2, secret: n * 3}
	switch n {
	case 0:
		return nil, nil, errors.New("no tree")
	case 1:
		o.By = map[string]Tree{"fir": Fir{2, "x"}, "oak \"1\"": &Oak{secret: 4}, "none": nil}
	case 2:
		o.Next, o.Up = &Oak{Name: "below", Next: Fir{Needles: 7, hidden: "ab"}}, o
		o.At, o.Why = time.Date(2020, 1, 2, 3, 4, 5, 6, time.UTC), errors.New("a reason")
	case 3:
		o.Any, o.Call, o.Years = Fir{3, "y"}, func() {}, []int8{1, -2}
		o.Listed, o.Fault = [2]Tree{&Fir{4, "zz"}, nil}, &Rot{5}
		o.Counted, o.Complex, o.Pointed = map[int]*Fir{3: {1, "w"}, 11: nil}, 2i, &one
		o.Branches = []Tree{Fir{6, ""}, &Fir{8, "v"}}
	}
	return o, o.Next, nil
}
