package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"aead.dev/minisign"
)

// SignatureExtension follows the name of an archive in that of its signature.
const SignatureExtension = ".minisig"

var (
	// ErrSignature says that an archive is not what the owner of a key signed.
	ErrSignature = errors.New("the signature is not that of this archive and key")
	// ErrKey says that a key cannot be used.
	ErrKey = errors.New("not a usable minisign key")
)

// SecretKey signs archives.
type SecretKey struct{ key minisign.PrivateKey }

// ParseSecretKey reads the text of a minisign secret key. The password is used
// where the key is encrypted.
func ParseSecretKey(text []byte, password string) (*SecretKey, error) {
	text = bytes.TrimSpace(text)
	if !minisign.IsEncrypted(text) {
		var k minisign.PrivateKey
		if err := k.UnmarshalText(text); err != nil {
			return nil, fmt.Errorf("read secret key: %w", ErrKey)
		}
		return &SecretKey{k}, nil
	}
	if password == "" {
		return nil, fmt.Errorf("read secret key: it is encrypted and there is no password: %w", ErrKey)
	}
	k, err := minisign.DecryptKey(password, text)
	if err != nil {
		return nil, fmt.Errorf("read secret key: the password is wrong, or the key damaged: %w", ErrKey)
	}
	return &SecretKey{k}, nil
}

// Sign signs an archive with a comment that the signature covers. The same
// archive, key and comment give the same signature.
func (k *SecretKey) Sign(archive []byte, comment string) ([]byte, error) {
	r := minisign.NewReader(bytes.NewReader(archive))
	if _, err := io.Copy(io.Discard, r); err != nil {
		return nil, fmt.Errorf("sign archive: %w", err)
	}
	return r.SignWithComments(k.key, comment, "signature of an archive of project-map"), nil
}

// PublicKey verifies archives.
type PublicKey struct{ key minisign.PublicKey }

// ParsePublicKey reads a minisign public key: the text of its file, or its one
// line.
func ParsePublicKey(text []byte) (*PublicKey, error) {
	var k minisign.PublicKey
	if err := k.UnmarshalText(bytes.TrimSpace(text)); err != nil {
		return nil, fmt.Errorf("read public key: %w", ErrKey)
	}
	return &PublicKey{k}, nil
}

// Verify checks the signature of an archive.
func (k *PublicKey) Verify(archive, signature []byte) error {
	r := minisign.NewReader(bytes.NewReader(archive))
	if _, err := io.Copy(io.Discard, r); err != nil {
		return fmt.Errorf("verify archive: %w", err)
	}
	if !r.Verify(k.key, signature) {
		return ErrSignature
	}
	return nil
}
