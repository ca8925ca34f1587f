package main

import "testing"

func TestGoVetIsRecognized(t *testing.T) {
	for _, c := range []struct {
		args []string
		want bool
	}{
		{nil, false},
		{[]string{"-V=full"}, true},
		{[]string{"-flags"}, true},
		{[]string{"/tmp/b001/vet.cfg"}, true},
		{[]string{"-json", "/tmp/b001/vet.cfg"}, true},
		{[]string{"plot", "vet.cfg"}, false},
		{[]string{"fuzz.cfg"}, false},
		{[]string{"version"}, false},
		{[]string{"-v", "."}, false},
	} {
		if got := isVettool(c.args); got != c.want {
			t.Errorf("%q: %t", c.args, got)
		}
	}
}
