package sshconf

import "testing"

func FuzzPrint(f *testing.F) {
	f.Add("Host a.example b # first\n  Port = 22\n  User x # who\n\nMatch all\n")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := Print(text); err != nil {
			t.Skip(err)
		}
	})
}
