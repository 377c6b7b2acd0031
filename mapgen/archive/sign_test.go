package archive

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"aead.dev/minisign"
)

type canceledContext struct{ context.Context }

func (canceledContext) Err() error { return context.Canceled }

func TestSign(t *testing.T) {
	public, secret, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := secret.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	key, err := ParseSecretKey(append(text, '\n'), "")
	if err != nil {
		t.Fatal(err)
	}
	data := []byte("an archive")
	signature, err := key.Sign(data, "comment")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := key.Sign(data, "comment"); err != nil || !bytes.Equal(signature, again) {
		t.Errorf("signatures differ: %v", err)
	}
	for _, form := range []string{public.String(), "untrusted comment: x\n" + public.String() + "\n"} {
		pub, err := ParsePublicKey([]byte(form))
		if err != nil {
			t.Fatal(err)
		}
		if err := pub.Verify(data, signature); err != nil {
			t.Error(err)
		}
		for name, bad := range map[string][2][]byte{
			"other data":    {[]byte("an archivE"), signature},
			"no signature":  {data, nil},
			"cut short":     {data, signature[:40]},
			"other comment": {data, bytes.Replace(signature, []byte("trusted comment: comment"), []byte("trusted comment: another"), 1)},
		} {
			if err := pub.Verify(bad[0], bad[1]); !errors.Is(err, ErrSignature) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	other, _, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := (&PublicKey{other}).Verify(data, signature); !errors.Is(err, ErrSignature) {
		t.Errorf("another key: %v", err)
	}
	for _, bad := range []string{"", "x", strings.Repeat("A", 500), public.String()} {
		if _, err := ParseSecretKey([]byte(bad), "x"); !errors.Is(err, ErrKey) {
			t.Errorf("secret key %q: %v", bad, err)
		}
	}
	if _, err := ParsePublicKey(text); !errors.Is(err, ErrKey) {
		t.Errorf("a secret key for a public one: %v", err)
	}
}
