package main

import (
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "golang.org/x/tools/cover"
	_ "golang.org/x/tools/go/packages"
)

func main() {}
