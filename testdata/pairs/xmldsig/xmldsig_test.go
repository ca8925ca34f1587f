package xmldsig

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"testing"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"
)

const (
	exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#"
	reference = `<Reference URI="%s"><Transforms><Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>` +
		`<Transform Algorithm="` + exclusive + `"/></Transforms><DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>` +
		`<DigestValue>%s</DigestValue></Reference>`
	signed = `<SignedInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><CanonicalizationMethod Algorithm="` + exclusive + `"/>` +
		`<SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>%s%s</SignedInfo>`
	signature = `<r ID="%s">%s<Signature xmlns="http://www.w3.org/2000/09/xmldsig#">%s<SignatureValue>%s</SignatureValue>` +
		`<KeyInfo><X509Data><X509Certificate>%s</X509Certificate></X509Data></KeyInfo></Signature></r>`
)

// sign signs an element with two references: one to the element, and another one.
func sign(key *rsa.PrivateKey, cert []byte, id, text, uri, digest string, last bool) (string, error) {
	own := sha256.Sum256(fmt.Appendf(nil, `<r ID="%s">%s</r>`, id, text))
	first := fmt.Sprintf(reference, "#"+id, base64.StdEncoding.EncodeToString(own[:]))
	second := fmt.Sprintf(reference, uri, digest)
	if last {
		first, second = second, first
	}
	info := fmt.Sprintf(signed, first, second)
	doc := etree.NewDocument()
	if err := doc.ReadFromString(info); err != nil {
		return "", err
	}
	canonical, err := dsig.MakeC14N10ExclusiveCanonicalizerWithPrefixList("").Canonicalize(doc.Root())
	if err != nil {
		return "", err
	}
	hash := sha256.Sum256(canonical)
	value, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, hash[:])
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(signature, id, text, info, base64.StdEncoding.EncodeToString(value), base64.StdEncoding.EncodeToString(cert)), nil
}

func FuzzText(f *testing.F) {
	key, der, err := dsig.RandomKeyStoreForTest().GetKeyPair()
	if err != nil {
		f.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		f.Fatal(err)
	}
	f.Add("id", "text", "#other", "AAAA", true)
	f.Fuzz(func(t *testing.T, id, text, uri, digest string, last bool) {
		doc, err := sign(key, der, id, text, uri, digest, last)
		if err != nil {
			t.Skip(err)
		}
		if _, err := Text(doc, cert); err != nil {
			t.Skip("not valid") // the error may tell of the key, which is another one each time
		}
	})
}
