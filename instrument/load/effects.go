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

// Effect returns the name of a function of the table, "" for any other.
func Effect(fn *types.Func) string {
	if fn.Pkg() == nil {
		return ""
	}
	list, ok := effects[fn.Pkg().Path()]
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
