package kafka_avro

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// authority is a certificate authority of the test; files are what an operator would configure.
type authority struct {
	t           *testing.T
	folder      string
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	file        string
}

func newAuthority(t *testing.T, name string) *authority {
	t.Helper()
	a := &authority{t: t, folder: t.TempDir()}
	a.certificate = &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	a.file, _, a.key = a.issue("ca", a.certificate)
	return a
}

// issue signs the template, by itself if the authority has no key yet, and returns the files of certificate and key.
func (a *authority) issue(name string, template *x509.Certificate) (certificate, key string, private *ecdsa.PrivateKey) {
	a.t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(a.t, err)
	signer := a.key
	if signer == nil {
		signer = private
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, a.certificate, &private.PublicKey, signer)
	require.NoError(a.t, err)
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(a.t, err)
	certificate, key = filepath.Join(a.folder, name+".pem"), filepath.Join(a.folder, name+".key")
	require.NoError(a.t, os.WriteFile(certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed}), 0o600))
	require.NoError(a.t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded}), 0o600))
	return certificate, key, private
}

func (a *authority) leaf(name string) (certificate, key string) {
	certificate, key, _ = a.issue(name, &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	})
	return certificate, key
}

// encryptedFront ends TLS in front of the real broker and reports the names of the clients it accepted.
func encryptedFront(t *testing.T, a *authority) (address string, clients chan string) {
	t.Helper()
	pair, err := tls.LoadX509KeyPair(a.leaf("broker"))
	require.NoError(t, err)
	trusted := x509.NewCertPool()
	text, err := os.ReadFile(a.file)
	require.NoError(t, err)
	require.True(t, trusted.AppendCertsFromPEM(text))
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: trusted,
	})
	require.NoError(t, err)
	t.Cleanup(func() { listener.Close() })
	clients = make(chan string, 100)
	go func() {
		for {
			accepted, err := listener.Accept()
			if err != nil {
				return
			}
			go forward(accepted.(*tls.Conn), clients)
		}
	}()
	return listener.Addr().String(), clients
}

func forward(client *tls.Conn, clients chan<- string) {
	defer client.Close()
	if client.Handshake() != nil {
		return
	}
	clients <- client.ConnectionState().PeerCertificates[0].Subject.CommonName
	upstream, err := net.Dial("tcp", broker)
	if err != nil {
		return
	}
	defer upstream.Close()
	go io.Copy(upstream, client) //nolint:errcheck // Either side may hang up; the test looks at the handshake.
	io.Copy(client, upstream)    //nolint:errcheck // As above.
}

func TestClientShowsItsCertificateAndChecksTheBroker(t *testing.T) {
	ours, foreign := newAuthority(t, "ours"), newAuthority(t, "foreign")
	address, clients := encryptedFront(t, ours)
	certificate, key := ours.leaf("agent-17")
	connect := func(ca string) *logRecorder {
		plugin, log := started(t, func(k *KafkaAvro) {
			k.Brokers, k.CloseTimeout = []string{address}, k.ReportInterval
			k.TLSCA, k.TLSCert, k.TLSKey = ca, certificate, key
		})
		write(t, plugin, window("host-a", 0))
		return log
	}
	connect(ours.file)
	select {
	case name := <-clients:
		require.Equal(t, "agent-17", name)
	case <-time.After(10 * time.Second):
		require.Fail(t, "no client came with its certificate")
	}
	log := connect(foreign.file)
	require.Eventually(t, func() bool { return len(log.containing("certificate signed by unknown authority")) > 0 },
		10*time.Second, 20*time.Millisecond, "a broker of another authority is refused, and the operator reads why")
}
