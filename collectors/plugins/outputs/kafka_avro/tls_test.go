package kafka_avro

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kadm"
)

// fatal stands in for a test where there is none.
type fatal struct{}

func (fatal) Errorf(format string, arguments ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", arguments...)
}
func (fatal) FailNow() { panic("see above") }

// authority is a certificate authority of the test; files are what an operator would configure.
type authority struct {
	t           require.TestingT
	folder      string
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	file        string
}

func newAuthority(t require.TestingT, folder, name string) *authority {
	a := &authority{t: t, folder: folder}
	a.certificate = &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	a.file, _, a.key = a.issue(name+"-ca", a.certificate)
	return a
}

// issue signs the template, by itself if the authority has no key yet, and returns the files of certificate and key.
func (a *authority) issue(name string, template *x509.Certificate) (certificate, key string, private *ecdsa.PrivateKey) {
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

// allowOnly makes the topic writable for one user, besides the super user without encryption.
func allowOnly(t *testing.T, topic, user string) {
	t.Helper()
	rule := kadm.NewACLs().Allow("User:"+user).AllowHosts("*").Topics(topic).
		Operations(kadm.OpWrite, kadm.OpDescribe).ResourcePatternType(kadm.ACLPatternLiteral)
	results, err := administrator(t).CreateACLs(context.Background(), rule)
	require.NoError(t, err)
	for _, result := range results {
		require.NoError(t, result.Err)
	}
}

// The broker knows the client by its certificate: one name may write, another one of the same authority may not.
func TestClientIsKnownByItsCertificate(t *testing.T) {
	skipIfShort(t)
	topic := newTopic(t, 1, nil)
	allowOnly(t, topic, "CN=agent-17")
	connect := func(name, ca string) (*KafkaAvro, *logRecorder) {
		plugin, log := started(t, func(k *KafkaAvro) {
			k.Brokers, k.CloseTimeout, k.TopicCPUUsageWindows = []string{brokerMTLS}, k.ReportInterval, topic
			k.TLSCA = ca
			if name != "" {
				k.TLSCert, k.TLSKey = brokerAuthority.leaf(name)
			}
		})
		write(t, plugin, window("host-a", 0))
		return plugin, log
	}
	refusedFor := func(log *logRecorder, reason string) {
		require.Eventually(t, func() bool { return len(log.containing(reason)) > 0 }, 20*time.Second, 20*time.Millisecond,
			"the operator reads %q", reason)
	}
	_, log := connect("agent-18", brokerAuthority.file)
	refusedFor(log, "TOPIC_AUTHORIZATION_FAILED")
	_, log = connect("", brokerAuthority.file)
	refusedFor(log, "tls: bad certificate") // In the broker's words: none at all.
	_, log = connect("agent-17", newAuthority(t, t.TempDir(), "foreign").file)
	refusedFor(log, "certificate signed by unknown authority")

	plugin, _ := connect("agent-17", brokerAuthority.file)
	consume(t, 1, topic)
	require.Eventually(t, func() bool { return plugin.tally.acknowledged() == 1 }, 5*time.Second, 10*time.Millisecond)
}

// Passwords over TLS without a client certificate: each mechanism, and a wrong password.
func TestClientIsKnownByItsPassword(t *testing.T) {
	skipIfShort(t)
	topic, password := newTopic(t, 1, nil), filepath.Join(t.TempDir(), "password")
	require.NoError(t, os.WriteFile(password, []byte("open sesame\n"), 0o600))
	for _, mechanism := range []kadm.ScramMechanism{kadm.ScramSha256, kadm.ScramSha512} {
		known := []kadm.UpsertSCRAM{{User: "scram-agent", Mechanism: mechanism, Iterations: 4096, Password: "open sesame"}}
		altered, err := administrator(t).AlterUserSCRAMs(context.Background(), nil, known)
		require.NoError(t, err)
		require.NoError(t, altered.Error())
	}
	connect := func(mechanism, user string) (*KafkaAvro, *logRecorder) {
		plugin, log := started(t, func(k *KafkaAvro) {
			k.Brokers, k.TopicCPUUsageWindows, k.CloseTimeout = []string{brokerSASL}, topic, k.ReportInterval
			k.SASLMechanism, k.SASLUsername, k.SASLPasswordFile = mechanism, user, password
			k.TLSCA = brokerAuthority.file
		})
		write(t, plugin, window(mechanism, 0))
		return plugin, log
	}
	for number, login := range [][2]string{{"SCRAM-SHA-256", "scram-agent"}, {"SCRAM-SHA-512", "scram-agent"}, {"PLAIN", "plain-agent"}} {
		plugin, _ := connect(login[0], login[1])
		require.Equal(t, login[0], string(consume(t, number+1, topic)[number].Key))
		requireReconciled(t, plugin)
	}
	require.NoError(t, os.WriteFile(password, []byte("guessed\n"), 0o600))
	plugin, log := connect("SCRAM-SHA-512", "scram-agent")
	require.Eventually(t, func() bool { return len(log.containing("SASL_AUTHENTICATION_FAILED")) > 0 }, 20*time.Second, 20*time.Millisecond)
	// The counts of a topic are the process's: three windows came through the doors above.
	require.Equal(t, int64(3), plugin.tally.acknowledged())
	// The file is read at every login: a corrected password needs no restart.
	require.NoError(t, os.WriteFile(password, []byte("open sesame\n"), 0o600))
	require.Eventually(t, func() bool { return plugin.tally.acknowledged() == 4 }, 20*time.Second, 20*time.Millisecond)
}
