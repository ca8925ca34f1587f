package operator

import "go/constant"

var stringConstants = &Operator{
	Name: "string-constants", Group: GroupStrong, Extent: Text,
	Doc:     `replaces a string constant by "", an empty one by "A"`,
	Example: `name + ".go" → name + ""`,
	Inspect: func(s *Site) []Change {
		if s.Kind != Constant || s.Class != String {
			return nil
		}
		v := ""
		if constant.StringVal(s.Value) == "" {
			v = "A"
		}
		return []Change{{Do: Replace, Value: constant.MakeString(v)}}
	},
}
