package samples

import (
	"encoding/json"
	"fmt"
	"go/constant"
	"go/token"
	"strings"
)

// value is a constant as JSON. At most one member is set: with none it is no argument of any
// type. A text is bytes, since it may be no UTF-8.
type value struct {
	Text  []byte   `json:"text"` // nil: it is no text
	Bool  *bool    `json:"bool,omitempty"`
	Int   string   `json:"int,omitempty"`   // in decimal
	Float *float64 `json:"float,omitempty"` // the nearest one: no argument holds more
}

// MarshalJSON writes a row so that UnmarshalJSON reads one that makes the same inputs.
func (r Row) MarshalJSON() ([]byte, error) {
	list := make([]value, len(r))
	for i, v := range r {
		switch v.Kind() {
		case constant.String:
			list[i].Text = append([]byte{}, constant.StringVal(v)...)
		case constant.Bool:
			b := constant.BoolVal(v)
			list[i].Bool = &b
		case constant.Int:
			list[i].Int = v.ExactString()
		case constant.Float:
			if f, ok := number(v); ok {
				list[i].Float = &f
			}
		}
	}
	return json.Marshal(list)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Row) UnmarshalJSON(text []byte) error {
	var list []value
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	*r = make(Row, len(list))
	for i := range list {
		v, err := list[i].constant()
		if err != nil {
			return err
		}
		(*r)[i] = v
	}
	return nil
}

func (v *value) constant() (constant.Value, error) {
	switch {
	case v.Text != nil:
		return constant.MakeString(string(v.Text)), nil
	case v.Bool != nil:
		return constant.MakeBool(*v.Bool), nil
	case v.Float != nil:
		return constant.MakeFloat64(*v.Float), nil
	case v.Int == "":
		return constant.MakeUnknown(), nil
	}
	digits, minus := strings.CutPrefix(v.Int, "-")
	n := constant.MakeFromLiteral(digits, token.INT, 0)
	if n.Kind() != constant.Int {
		return nil, fmt.Errorf("%q is no number", v.Int)
	}
	if minus {
		n = constant.UnaryOp(token.SUB, n, 0)
	}
	return n, nil
}
