package gjsonvalid

import (
	"testing"

	"github.com/tidwall/gjson"
)

func FuzzValid(f *testing.F) {
	f.Add([]byte(`{"name":{"first":"Tom","last":"Anderson"},"age":37,"children":["Sara","Alex","Jack"],"fav.movie":"Deer Hunter"}`))
	f.Add([]byte(`[1,-2.5e3,true,false,null,"\u00e9\n"]`))
	f.Fuzz(func(t *testing.T, json []byte) {
		valid := gjson.ValidBytes(json)
		last := gjson.GetBytes(json, "name.last")
		if valid && last.Exists() && !gjson.ParseBytes(json).IsObject() {
			t.Errorf("%s is no object, but has the member name", json)
		}
	})
}
