// Package dnsmessage fuzzes golang.org/x/net/dns/dnsmessage (x/net v0.62.0).
//
// A message that unpacks and packs again must unpack to the same message, and
// the step-by-step parser must see the resources that Unpack sees.
//
// mutate: golang.org/x/net/dns/dnsmessage
package dnsmessage
