// Package triage sorts failing inputs by the bug that they show.
//
// It follows J. Holmes and A. Groce, "Using mutants to help developers distinguish
// and debug (compiler) faults", STVR 30(2), 2020: two failing inputs are alike if
// the same small changes of the program make both of them pass. A mutant that does
// so, and that breaks no passing input, repairs the failing input. The set of the
// mutants that repair an input is its repair vector (§2). From the vectors follow
// a distance between failing inputs, an order in which to look at them that shows
// another bug as soon as it can (§2), buckets, and rankings of the places where the
// bug may be (§3, §5.3).
//
// All this is as good as the repairs. Inputs that no mutant repairs go by their stacks
// and coverage, and so the bugs of one place become one. A repair that breaks nothing
// only because little is known to pass makes different bugs alike; Repair ranks it
// low, and mutants that repair every input are left out. If what fails is far from
// what is wrong, the repairs speak of the former: in the modules of bench-triage a
// repair touches a line of the true fix at once, or not at all.
//
// The package runs nothing: it computes with what it is given. Everything in it is
// deterministic, and each tie is broken by the order in which things are given.
package triage
