package intest

// Wrap is wrap for the external tests.
var Wrap = wrap
