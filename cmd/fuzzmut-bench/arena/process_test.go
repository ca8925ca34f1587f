package arena

import (
	"testing"
)

func TestStockExecutions(t *testing.T) {
	out := "fuzz: elapsed: 0s, gathering baseline coverage: 0/21 completed\n" +
		"fuzz: elapsed: 3s, execs: 37429 (12474/sec), new interesting: 430 (total: 451)\n" +
		"fuzz: elapsed: 4s, execs: 37500 (71/sec), new interesting: 430 (total: 451)\nPASS\n"
	if n, ok := stockExecutions([]byte(out)); n != 37500 || !ok {
		t.Errorf("%d, %v", n, ok)
	}
	if n, ok := stockExecutions([]byte(out[:40])); n != 0 || !ok {
		t.Errorf("before the first execution: %d, %v", n, ok)
	}
	if _, ok := stockExecutions([]byte("PASS\n")); ok {
		t.Error("there is no progress")
	}
}
