package registry

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"

	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/errcode"

	"github.com/project-map/project-map/indexer/facts/lazyregexp"
)

// errorCode is an error code as registries have them; other text of theirs is not
// repeated.
var errorCode = lazyregexp.New(`^[A-Z][A-Z_]{1,39}$`)

// status explains an answer that is not the one that was hoped for.
func (r *repository) status(code int, codes errcode.Errors) error {
	said := fmt.Sprintf("it answers %d", code)
	if text := http.StatusText(code); text != "" {
		said += " " + text
	}
	if len(codes) > 0 && errorCode.MatchString(codes[0].Code) {
		said += " (" + codes[0].Code + ")"
	}
	switch {
	case code == http.StatusNotFound:
		return fmt.Errorf("%s: %w", said, ErrNotFound)
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return r.unauthorized(said)
	case code == http.StatusRequestEntityTooLarge:
		return fmt.Errorf("%s: %w for it", said, ErrTooLarge)
	}
	return fmt.Errorf("%s: %w", said, ErrServer)
}

// unauthorized says which credentials were not enough.
func (r *repository) unauthorized(said string) error {
	switch {
	case r.creds.from != "":
		return fmt.Errorf("%s to the credentials of %s: %w", said, r.creds.from, ErrUnauthorized)
	case r.creds.helper != "":
		return fmt.Errorf("%s, and the credentials for %s are those of %s: %w: %w", said, r.ref.Host, r.creds.helper, ErrHelper, ErrUnauthorized)
	}
	return fmt.Errorf("%s, and there are no credentials for %s: %w", said, r.ref.Host, ErrUnauthorized)
}

// explain turns an error of the transport or of a library into one of ours. Their
// texts hold addresses, which can be secret, and what servers send, so that only
// known ones are repeated.
func (r *repository) explain(ctx context.Context, err error) error {
	var own *ownError
	if errors.As(err, &own) {
		return own.err
	}
	if ctx.Err() != nil {
		switch cause := context.Cause(ctx); {
		case errors.Is(cause, errStalled):
			return fmt.Errorf("%w: %w", errStalled, ErrUnreachable)
		case errors.Is(cause, context.DeadlineExceeded):
			return fmt.Errorf("no answer in time: %w", ErrUnreachable)
		default:
			return cause
		}
	}
	var response *errcode.ErrorResponse
	switch {
	case errors.As(err, &response):
		return r.status(response.StatusCode, response.Errors)
	case errors.Is(err, auth.ErrBasicCredentialNotFound):
		return r.unauthorized("it asks for a user name and password")
	}
	if reason := tlsReason(err); reason != "" {
		return fmt.Errorf("%s: %w", reason, ErrTLS)
	}
	if reason := networkReason(err); reason != "" {
		return fmt.Errorf("%s: %w", reason, ErrUnreachable)
	}
	return fmt.Errorf("its answer is not one that the protocol knows: %w", ErrServer)
}

// ownError is an error of this package that passes through libraries, which wrap it
// with what must not show.
type ownError struct{ err error }

func (e *ownError) Error() string { return e.err.Error() }
func (e *ownError) Unwrap() error { return e.err }

func ownf(format string, args ...any) error { return &ownError{fmt.Errorf(format, args...)} }

// tlsReason says what is wrong with a secure connection, "" for other errors.
func tlsReason(err error) string {
	var (
		unknown  x509.UnknownAuthorityError
		host     x509.HostnameError
		invalid  x509.CertificateInvalidError
		verify   *tls.CertificateVerificationError
		record   tls.RecordHeaderError
		alert    tls.AlertError
		noSystem x509.SystemRootsError
	)
	switch {
	case errors.Is(err, http.ErrSchemeMismatch):
		return "it speaks without encryption"
	case errors.As(err, &unknown):
		return "its certificate is signed by an unknown authority"
	case errors.As(err, &host):
		return "its certificate is for another name"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "its certificate has expired or is not valid yet"
	case errors.As(err, &invalid), errors.As(err, &verify):
		return "its certificate is not valid"
	case errors.As(err, &noSystem):
		return "there are no certificates to verify it with"
	case errors.As(err, &record), errors.As(err, &alert):
		return "the handshake fails"
	}
	return ""
}

// networkReason says why no answer came, "" for other errors.
func networkReason(err error) string {
	var (
		dns     *net.DNSError
		op      *net.OpError
		timeout net.Error
		errno   syscall.Errno
	)
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return fmt.Sprintf("there is no host %s", dns.Name)
	case errors.As(err, &dns):
		return fmt.Sprintf("the name %s cannot be looked up", dns.Name)
	case errors.As(err, &timeout) && timeout.Timeout():
		return "no answer in time"
	case errors.As(err, &errno):
		return errno.Error()
	case errors.As(err, &op):
		return "the connection fails"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection ended early"
	}
	return ""
}
