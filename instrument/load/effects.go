package load

import (
	"go/types"
	"strings"
)

// effects are the functions of the standard library that change something outside the
// process, or end it. A fuzz test would call them with arguments that nobody has chosen.
var effects = map[string]string{
	"os": "Exit Remove RemoveAll Rename Create OpenFile WriteFile Mkdir MkdirAll Chmod Chown Chtimes Lchown Link Symlink " +
		"Truncate Chdir StartProcess CopyFS Root.Remove Root.RemoveAll Root.Rename Root.Create Root.OpenFile Root.WriteFile " +
		"File.Truncate File.Chmod File.Chown Process.Kill Process.Signal",
	"os/exec":   "Command CommandContext Cmd.Run Cmd.Start Cmd.Output Cmd.CombinedOutput",
	"io/ioutil": "WriteFile",
	"log":       "Fatal Fatalf Fatalln Logger.Fatal Logger.Fatalf Logger.Fatalln",
	"net": "Listen ListenIP ListenMulticastUDP ListenPacket ListenTCP ListenUDP ListenUnix ListenUnixgram Dial DialIP DialTCP DialTimeout " +
		"DialUDP DialUnix Dialer.Dial Dialer.DialContext ListenConfig.Listen ListenConfig.ListenPacket",
	"net/http": "ListenAndServe ListenAndServeTLS Serve ServeTLS Get Head Post PostForm Client.Do Client.Get Client.Head Client.Post " +
		"Client.PostForm Server.ListenAndServe Server.ListenAndServeTLS Server.Serve Transport.RoundTrip",
	"net/smtp":   "Dial SendMail",
	"crypto/tls": "Dial DialWithDialer Listen",
	"syscall":    "Exec ForkExec StartProcess Kill Exit Unlink Rmdir Rename",
}

// outside are functions of the standard library whose results come from outside the process,
// or differ from call to call: a test of what they return would pass on one machine.
var outside = map[string]string{
	"os": "Open OpenRoot ReadFile ReadDir Stat Lstat Getenv LookupEnv Environ Hostname Getwd UserHomeDir TempDir CreateTemp MkdirTemp DirFS " +
		"Getpid Getppid Getuid Geteuid Getgid Getegid Getgroups Executable Readlink",
	"io/ioutil":     "ReadFile ReadDir TempFile TempDir",
	"path/filepath": "Glob Walk WalkDir EvalSymlinks Abs",
	"time":          "Now Since Until Sleep After AfterFunc Tick NewTimer NewTicker",
	"math/rand":     "Int Intn Int31 Int31n Int63 Int63n Uint32 Uint64 Float32 Float64 Perm Shuffle Read",
	"math/rand/v2":  "Int IntN Int32 Int32N Int64 Int64N Uint32 Uint32N Uint64 Uint64N UintN N Float32 Float64 Perm Shuffle",
	"crypto/rand":   "Read Int Prime Text",
	"net":           "LookupHost LookupIP LookupAddr Interfaces InterfaceAddrs",
	"runtime":       "NumGoroutine Caller Callers Stack ReadMemStats",
}

// machine are those of them whose results differ from machine to machine, whatever they are given.
var machine = map[string]string{
	"os":            "Environ Hostname Getwd UserHomeDir TempDir Getpid Getppid Getuid Geteuid Getgid Getegid Getgroups Executable",
	"path/filepath": "Abs",
	"net":           "LookupHost LookupIP LookupAddr Interfaces InterfaceAddrs",
	"runtime":       "NumGoroutine Stack ReadMemStats",
}

// FromMachine says whether a function of the standard library returns what differs from machine to
// machine, whatever it is given.
func FromMachine(fn *types.Func) bool { return nameIn(machine, fn) != "" }

// Effect returns the name of a function that changes something outside the process, or ends it;
// "" for any other.
func Effect(fn *types.Func) string { return nameIn(effects, fn) }

// FromOutside says whether a function of the standard library returns what comes from outside
// the process, or differs from call to call.
func FromOutside(fn *types.Func) bool { return nameIn(outside, fn) != "" }

// nameIn returns the name of a function of a table, "" for any other.
func nameIn(table map[string]string, fn *types.Func) string {
	if fn.Pkg() == nil {
		return ""
	}
	list, ok := table[fn.Pkg().Path()]
	if !ok {
		return ""
	}
	name := fn.Name()
	if recv := fn.Signature().Recv(); recv != nil {
		t := types.Unalias(recv.Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		n, ok := t.(*types.Named)
		if !ok {
			return ""
		}
		name = n.Obj().Name() + "." + name
	}
	if !strings.Contains(" "+list+" ", " "+name+" ") {
		return ""
	}
	return fn.Pkg().Name() + "." + name
}
