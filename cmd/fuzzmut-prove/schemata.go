package main

import "context"

type sample struct {
	n        int
	seed     uint64
	parallel int
}

func (p *prover) schemata(ctx context.Context, s sample) error { return nil }
