package fuzzmutrt

// LastN shows N variables of the function that defers it, as they are when the function
// returns, to the oracle while Observing. There is one for each number of variables
// since a call with pointers moves none of them to the heap, and no function literal
// since the function's own are numbered in the order of its text.

func Last1[A any](site uint32, a *A) {
	if Observing {
		ObserveHook(site, []any{*a})
	}
}

func Last2[A, B any](site uint32, a *A, b *B) {
	if Observing {
		ObserveHook(site, []any{*a, *b})
	}
}

func Last3[A, B, C any](site uint32, a *A, b *B, c *C) {
	if Observing {
		ObserveHook(site, []any{*a, *b, *c})
	}
}

func Last4[A, B, C, D any](site uint32, a *A, b *B, c *C, d *D) {
	if Observing {
		ObserveHook(site, []any{*a, *b, *c, *d})
	}
}

func Last5[A, B, C, D, E any](site uint32, a *A, b *B, c *C, d *D, e *E) {
	if Observing {
		ObserveHook(site, []any{*a, *b, *c, *d, *e})
	}
}

func Last6[A, B, C, D, E, F any](site uint32, a *A, b *B, c *C, d *D, e *E, f *F) {
	if Observing {
		ObserveHook(site, []any{*a, *b, *c, *d, *e, *f})
	}
}

func Last7[A, B, C, D, E, F, G any](site uint32, a *A, b *B, c *C, d *D, e *E, f *F, g *G) {
	if Observing {
		ObserveHook(site, []any{*a, *b, *c, *d, *e, *f, *g})
	}
}
