package ini

import "testing"

func FuzzSettings(f *testing.F) {
	f.Add("name = x\n[server]\nport: 80 ; comment\ntext = \"\"\"one\ntwo\"\"\"\nlong = \"a \\\n  b\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := Settings(text); err != nil {
			t.Skip(err)
		}
	})
}
