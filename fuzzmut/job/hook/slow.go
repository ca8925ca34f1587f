package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"time"
)

// patience is how long a regeneration that did not end in its budget is not tried
// again: nobody wants to wait for nothing with each commit.
const patience = time.Hour

// slowFile notes that a target needs more time than there was.
func (j *job) slowFile(t target) string {
	sum := sha256.Sum256([]byte(t.dir))
	return filepath.Join(filepath.Dir(j.tree.base), "slow-"+hex.EncodeToString(sum[:6]))
}

// wasSlow says whether a target did not end in as much time a short while ago.
func (j *job) wasSlow(t target) bool {
	info, err := os.Stat(j.slowFile(t))
	if err != nil || time.Since(info.ModTime()) > patience {
		return false
	}
	data, err := os.ReadFile(j.slowFile(t))
	if err != nil {
		return false
	}
	had, err := time.ParseDuration(string(data))
	return err == nil && j.opts.Budget <= had
}

// noteSlow notes whether a target needs more time than there was. If it can't be
// noted, it is tried again.
func (j *job) noteSlow(t target, slow bool) {
	if slow {
		os.WriteFile(j.slowFile(t), []byte(j.opts.Budget.String()), 0o666)
	} else {
		os.Remove(j.slowFile(t))
	}
}
