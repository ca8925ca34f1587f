package load

import (
	"path/filepath"
	"testing"
)

// The tags are those of klauspost/compress, cespare/xxhash, minio/sha256-simd and others.
func TestWithoutAssembly(t *testing.T) {
	for constraint, want := range map[string]string{
		"//go:build !appengine && !noasm && gc":            "noasm",
		"//go:build !appengine && gc && !purego && !noasm": "purego",
		"//go:build (amd64 || arm64) && !purego":           "purego",
		"//go:build amd64 && !appengine":                   "",
		"//go:build gc && noasm":                           "", // it is in the build with the tag
		"//go:build amd64":                                 "",
		"// +build !noasm":                                 "",
		"//go:build &&":                                    "",
		"":                                                 "",
	} {
		dir := unpack(t, "-- a.s --\n// A comment.\n\n"+constraint+"\n\n#include \"textflag.h\"\n-- b.c --\n//go:build !noasm\n"+
			"-- c.go --\n//go:build !amd64 || appengine || purego || noasm\n\npackage m\n-- d.go --\n//go:build !amd64\n\npackage m\n")
		files := []string{filepath.Join(dir, "b.c"), filepath.Join(dir, "none.s"), filepath.Join(dir, "a.s")}
		if got := withoutAssembly(files, []string{filepath.Join(dir, "b.c"), filepath.Join(dir, "c.go")}); got != want {
			t.Errorf("%s: %q, want %q", constraint, got, want)
		}
		if got := withoutAssembly(files, []string{filepath.Join(dir, "a.s"), filepath.Join(dir, "d.go")}); got != "" {
			t.Errorf("%s: %q, though no Go file comes in with it", constraint, got)
		}
	}
}

func TestAPackageKnowsTheTagForGoInPlaceOfAssembly(t *testing.T) {
	tree := headTest + "-- a.s --\n//go:build !purego\n\n-- stub.go --\n//go:build !purego\n\npackage m\n-- go.go --\n//go:build purego\n\npackage m\n"
	for tags, want := range map[string]string{"": "purego", "purego": ""} {
		cfg := Config{Dir: unpack(t, tree), Pattern: "."}
		if tags != "" {
			cfg.BuildFlags = []string{"-tags=" + tags}
		}
		r, err := Load(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Packages[0].NoAssembly; got != want {
			t.Errorf("-tags=%s: %q, want %q", tags, got, want)
		}
	}
}
