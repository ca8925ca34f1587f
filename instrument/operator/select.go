package operator

import (
	"fmt"
	"strings"
)

// All returns all operators. The order is fixed: where two operators propose
// the same change, the earlier one has it.
func All() []*Operator {
	return []*Operator{
		conditionalBoundary, negateConditionals, conditionNegation,
		math, increments, invertNegatives,
		emptyReturns, falseReturns, trueReturns, nullReturns, primitiveReturns,
		namedReturns, oneReturns, freshReturns, errorReturns,
		appendRemoval, copyRemoval, deleteRemoval, mapWriteRemoval,
		voidCallRemoval, statementDeletion,
		operatorReplacement, constantReplacement,
		errorCheckForced, errorMatchForced, wrappingRemoval, recoverRemoval, contextBackground,
		conditionForced, boolConstants, stringConstants, deferRemoval,
		namedConstants, constantNegation,
		comparisonForced,
		notRemoval, complementRemoval, compoundAssignment, stringConcatenation,
		arithmeticDeletion, operandExchange,
		goRemoval, breakContinueSwap, breakContinueRemoval, fallthroughRemoval,
		emptyThen, emptyElse, emptyCase, emptyDefault, emptySelectCase, loopSkip,
		labelRemoval, loopOnce, deferInPlace, goInPlace,
		nilGuard, boundsGuard, divisorGuard, assertionGuard, sizeGuard, resultGuard, loopGuard, depthGuard,
		lockRemoval,
		sliceBounds, indexShift, commaOkInversion, minMaxSwap,
		lengthChange, conversionTruncation, conversionExtension, argumentSwap, fieldClearing,
	}
}

// ByNames returns the operators that a comma-separated list of operator names and
// group names selects, each once, in the order of All. It fails on an unknown
// name and on a list that selects nothing.
func ByNames(spec string) ([]*Operator, error) {
	var group Group
	guards := false
	names := map[string]bool{}
	for _, word := range strings.Split(spec, ",") {
		switch word = strings.TrimSpace(word); word {
		case "":
		case "default":
			group = max(group, GroupDefault)
		case "strong":
			group = max(group, GroupStrong)
		case "all":
			group = GroupAll
		case "guards":
			guards = true
		default:
			names[word] = true
		}
	}
	var chosen []*Operator
	for _, op := range All() {
		if op.Group <= group || guards && op.Group == GroupGuards || names[op.Name] {
			chosen = append(chosen, op)
		}
		delete(names, op.Name)
	}
	if len(names) > 0 {
		return nil, fmt.Errorf("unknown operator %q: use default, strong, all, guards, or names that \"fuzzmut help operators\" lists", first(names))
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("no operators selected by %q: use default, strong, all, guards, or operator names", spec)
	}
	return chosen, nil
}

func first(names map[string]bool) string {
	least := ""
	for name := range names {
		if least == "" || name < least {
			least = name
		}
	}
	return least
}
