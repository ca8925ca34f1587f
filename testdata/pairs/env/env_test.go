package env

import "testing"

func FuzzParse(f *testing.F) {
	f.Add("# of the service\nexport HOST=localhost\nURL=\"http://$HOST:80/\\n\"\n")
	f.Add("A: 'b c' # quoted\nD=${A}")
	f.Fuzz(func(t *testing.T, text string) { Parse(text) })
}
