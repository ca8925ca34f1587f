// Package xmldsig checks signed documents with github.com/russellhaering/goxmldsig.
package xmldsig

import (
	"crypto/x509"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"
)

// Text returns the text of a signed element, if a trusted certificate signed it.
func Text(doc string, trusted *x509.Certificate) (string, error) {
	tree := etree.NewDocument()
	if err := tree.ReadFromString(doc); err != nil {
		return "", err
	}
	store := &dsig.MemoryX509CertificateStore{Roots: []*x509.Certificate{trusted}}
	signed, err := dsig.NewDefaultValidationContext(store).Validate(tree.Root())
	if err != nil {
		return "", err
	}
	return signed.Text(), nil
}
