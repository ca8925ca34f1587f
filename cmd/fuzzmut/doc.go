/*
Fuzzmut is a fuzzer for Go fuzz tests that is guided by mutants.

It takes the fuzz tests that a package has, and makes many small changes
(mutants) to the code under test. An input is worth keeping if it covers new
code, as with go test -fuzz, or if it tells a mutant from the original: the
mutant is then killed. What remains is a small corpus in Go's own format that
plain go test replays, a list of failing inputs, and a list of surviving
mutants: changes to the code that neither the inputs nor the assertions notice.

	fuzzmut ./pkg

Nothing has to be added to go.mod or to the code.

The manual is in the directory help, a file for each topic. "fuzzmut help" is an
overview, "fuzzmut help COMMAND" shows the flags and examples of a command, "fuzzmut
help TOPIC" a topic, "fuzzmut help usage" lists the commands and the topics, and "fuzzmut
help all" prints all of it.
*/
package main
