// Package corpus reads and writes the inputs of Go fuzz tests.
//
// An [Input] is one call of a fuzz target: a list of values, one per argument. An
// [Entry] is an input in its own file, in the format "go test fuzz v1", and no
// file here has another format: whatever fuzzmut keeps, plain go test replays, and
// whatever go test -fuzz has kept, fuzzmut reads. Only [ReadForeign] and [Entry.Raw]
// know the raw bytes that other fuzzers keep, to turn them into entries and back.
//
// Directories. The user's entries are in [TestdataDir], beside the fuzz test; what go
// test -fuzz and fuzzmut find during a run is in [CacheDir]; failing inputs beyond
// the one that is shown to the user are in [CrashersDir]. None of the functions here
// starts a process or reads the environment: the caller passes GOCACHE.
//
// Names. A file that fuzzmut manages is called "fuzzmut-", a few words of its content,
// and the hash that Go would give it ([ManagedName]); only such a file may ever be replaced or
// removed by a later run, and only as long as its content is what its name says
// ([Entry.Managed]): an edited file is the user's. Failing inputs are named as
// Go names them ([FileName]).
//
// Crash safety. [WriteFile] writes to a temporary directory inside the target
// directory and renames the complete file into place. Go skips directories when
// it reads a corpus, so a run that is killed leaves nothing that go test would
// see, and nothing outside the target directory. [RemoveLeftovers] removes what
// such a run has left. Files are not synced: a power failure can cost the newest
// entries, which a next run finds again.
package corpus
