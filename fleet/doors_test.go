package fleet

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nkeys"
)

// newCertificate writes a certificate for this machine that is signed by itself, and its
// key.
func newCertificate(t *testing.T) (cert, key string) {
	t.Helper()
	pair, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "fleet"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &pair.PublicKey, pair)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(pair)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, block := range map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: signed}, "key.pem": {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(filepath.Join(folder, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
}

// Over TLS only who trusts the certificate comes in, and only with the token; the server
// itself does from inside.
func TestTLS(t *testing.T) {
	t.Parallel()
	cert, key := newCertificate(t)
	s, err := Serve(ServeConfig{Store: t.TempDir(), Addr: "127.0.0.1:0", Token: "sesame", CertFile: cert, KeyFile: key})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if !strings.HasPrefix(s.URL(), "tls://127.0.0.1:") {
		t.Errorf("the address is %s", s.URL())
	}
	for name, c := range map[string]DialConfig{
		"a stranger to the certificate": {URL: s.URL(), Token: "sesame"},
		"a stranger to the token":       {URL: s.URL(), CA: cert, Token: "open"},
	} {
		if conn, err := Dial(t.Context(), c); err == nil {
			conn.Close()
			t.Errorf("%s was let in", name)
		}
	}
	conn, err := Dial(t.Context(), DialConfig{URL: s.URL(), CA: cert, Token: "sesame"})
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	inside, err := s.Dial(t.Context(), "inside")
	if err != nil {
		t.Fatal(err)
	}
	inside.Close()
}

// Only users whose public keys the server knows come in; the server itself does too.
func TestKeys(t *testing.T) {
	t.Parallel()
	var public, seeds []string
	for _, name := range []string{"anna", "berta"} {
		pair, err := nkeys.CreateUser()
		if err != nil {
			t.Fatal(err)
		}
		key, err := pair.PublicKey()
		if err != nil {
			t.Fatal(err)
		}
		seed, err := pair.Seed()
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, seed, 0o600); err != nil {
			t.Fatal(err)
		}
		public, seeds = append(public, key), append(seeds, file)
	}
	s, err := Serve(ServeConfig{Store: t.TempDir(), Addr: "127.0.0.1:0", Users: public[:1]})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for seed, welcome := range map[string]bool{seeds[0]: true, seeds[1]: false, "": false} {
		conn, err := Dial(t.Context(), DialConfig{URL: s.URL(), Seed: seed})
		if err == nil {
			conn.Close()
		}
		if (err == nil) != welcome {
			t.Errorf("%q: %v, welcome %v", seed, err, welcome)
		}
	}
	inside, err := s.Dial(t.Context(), "inside")
	if err != nil {
		t.Fatal(err)
	}
	inside.Close()
}
