package load

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

func TestInterruptedGoCommandCleansUp(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell")
	}
	temp := filepath.Join(t.TempDir(), "go-build")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	// As the go command does: what has begun ends, then temporary files go.
	cmd := GoCommand(ctx, "sh", "-c", `trap 'rm "$0"; exit 1' INT; : >"$0"; while :; do sleep 0.01; done`, temp)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for !exists(temp) {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := cmd.Wait(); err == nil {
		t.Error("it has come to its end")
	}
	if exists(temp) {
		t.Error("its temporary file is left")
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
