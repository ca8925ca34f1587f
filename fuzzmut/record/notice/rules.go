package notice

// A Rule is what a notice is an instance of.
type Rule struct {
	ID   string // "surviving-mutant"
	Name string // "SurvivingMutant"
	Text string // what it is, in a sentence
	// Full says what was seen, and Help what to do about it, in sentences. Code is in backquotes.
	Full, Help string
}

// The rules.
var (
	FailingInput = Rule{
		"failing-input", "FailingInput",
		"An input on which the fuzz test fails, does not end, or ends the process.",
		"The fuzz test was run on this input, and did not pass.",
		"Run the command after \"reproduce\" to see the failure. `fuzzmut triage` sorts failing inputs by bug, and shows small changes of the code with which they pass. Keep the input in testdata/fuzz: go test runs it from then on. For a bug that stays for now, `-write-known` adds it to a list, with your reason.",
	}
	CostlyInput = Rule{
		"costly-input", "CostlyInput",
		"An input whose cost grows faster than its length should let it.",
		"A part of the input was repeated more and more often, and the work or the bytes allocated grew faster than the length.",
		"Bound the length of what is accepted, or the work for it, or find the loop that the lines name. The directive `//fuzzmut:cost` in the fuzz test says which growth is meant to be there. `fuzzmut help costly-inputs` tells more.",
	}
	Difference = Rule{
		"behavior-difference", "BehaviorDifference",
		"An input on which the code does something else than before.",
		"Old and new code were run on this input, and what a caller sees differs. The lines are the part of the change that makes the difference.",
		"Decide whether the difference is meant. If it is, add `-accept` to the command after \"reproduce\": later runs then leave it out. If it is not, correct the lines. `fuzzmut diff -write-test` writes differences as tests. `fuzzmut help behavior` tells more.",
	}
	GoldenValue = Rule{
		"golden-value", "GoldenValue",
		"A value that is not what its golden value says.",
		"An entry of the corpus was run, and a call returned a value that differs from the committed one, or a committed file is not as it should be.",
		"If the new value is meant, run `fuzzmut corpus verify -update`, and commit testdata with the change. If it is not, correct the code. `fuzzmut help golden-values` tells more.",
	}
	Survivor = Rule{
		"surviving-mutant", "SurvivingMutant",
		"A change of the code that no test notices.",
		"The tests pass with this change of one place, though they run the code.",
		"Add a check that fails with the change. Where the notice names a call whose result is not checked, check it there. `fuzzmut suggest` looks for such assertions, and for inputs. If the change makes no difference that matters, write `//fuzzmut:ignore` with the reason above the code, or accept the mutant by `-baseline`. `fuzzmut help survivors` tells more.",
	}
	OracleGap = Rule{
		"oracle-gap", "OracleGap",
		"A fuzz test whose assertions miss mutants that its inputs tell from the code by what calls return.",
		"The inputs lead to other results with these mutants, and no assertion of the fuzz test looks at them.",
		"Assert what must hold of the results: `fuzzmut suggest -oracles` looks for properties, as round trips. Without an assertion, commit the golden values, and let `fuzzmut corpus verify` compare them.",
	}
	Mistake = Rule{
		"mistake", "Mistake",
		"A directive or a fuzz test that does not do what it is there for.",
		"A comment for fuzzmut is misspelled, has a wrong word, is in the wrong place or lacks its reason, or a fuzz test calls nothing of the code.",
		"Correct the comment or the fuzz test as the text says. `fuzzmut help directives` lists the directives, and `fuzzmut help vet` the checks.",
	}
)

// Rules lists all rules.
var Rules = []Rule{FailingInput, Difference, GoldenValue, Survivor, OracleGap, Mistake, CostlyInput}
