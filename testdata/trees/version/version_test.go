package version

import "testing"

func TestParse(t *testing.T) {
	if v, err := Parse("1.20.3-rc.1"); err != nil || v != (Version{1, 20, 3, "rc.1"}) {
		t.Errorf("%v, %v", v, err)
	}
	if _, err := Parse("1.2"); err != ErrSyntax {
		t.Error(err)
	}
}

func TestCompare(t *testing.T) {
	a, b := Version{Major: 1}, Version{Major: 1, Minor: 2}
	if a.Compare(b) >= 0 || b.Compare(a) <= 0 {
		t.Error("1.0.0 and 1.2.0")
	}
	a.Compare(Version{Major: 1, Pre: "rc.1"}) // it is not checked that a release comes after
}

func FuzzVersion(f *testing.F) {
	f.Add("1.2.3", "1.2.3-beta.2")
	f.Fuzz(func(t *testing.T, a, b string) {
		v, err := Parse(a)
		if err != nil {
			return
		}
		if w, err := Parse(b); err == nil && v.Compare(w) != -w.Compare(v) {
			t.Errorf("%v and %v", v, w)
		}
		if again, err := Parse(v.String()); err != nil || again != v {
			t.Errorf("%v, %v", again, err)
		}
	})
}
