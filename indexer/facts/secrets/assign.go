package secrets

import (
	"bytes"
	"math"
)

// Bounds of assigned values in bytes.
const (
	minQuoted, minBare = 12, 20
	maxValue           = 256
	maxName            = 64 // of the left-hand side that is looked at
)

// assignment looks at what a ':' or '=' at i assigns, or at the user
// information of a URL, and returns the offset to go on from.
//
// The value is hidden if the left-hand side names a secret (see namesSecret)
// and the value is a literal that looks random (see random): quoted on one
// line, or bare up to the end of the line or of the value as in .env, .ini and
// YAML files.
func (m *masker) assignment(i int) int {
	text := m.in
	if text[i] == ':' && i+2 < len(text) && text[i+1] == '/' && text[i+2] == '/' {
		return m.userInfo(i)
	}
	v := i + 1
	for v < len(text) && v-i < 4 && (text[v] == '=' || text[v] == '>' || text[v] == ':') {
		v++
	}
	operator := v
	for v < len(text) && v-operator < 32 && (text[v] == ' ' || text[v] == '\t') {
		v++
	}
	if v >= len(text) {
		return operator
	}
	quote := byte(0)
	if c := text[v]; c == '"' || c == '\'' || c == '`' {
		quote = c
		v++
	} else if class[c]&(base64std|word) == 0 || text[i] == ':' && v == operator {
		// In YAML a space follows; "h1:…" and "sha256:…" are digests.
		return operator
	}
	if v < len(text) && class[text[v]]&first != 0 {
		// A shape of its own says more about what may be hidden.
		if end := m.token(v); end > v {
			return end
		}
	}
	end := v
	if quote != 0 {
		for end < len(text) && end-v <= maxValue && text[end] > ' ' && text[end] < 0x7f && text[end] != quote {
			end++
		}
		if end >= len(text) || text[end] != quote || end-v < minQuoted {
			return operator
		}
	} else {
		for end < len(text) && end-v <= maxValue && (class[text[end]]&(base64url|base64std) != 0 || text[end] == '.' || text[end] == '~') {
			end++
		}
		for end < len(text) && text[end] == '=' {
			end++
		}
		if end-v < 16 || end-v > maxValue || end < len(text) && !endsBare(text[end]) {
			return operator
		}
	}
	value := text[v:end]
	var buf [maxName]byte
	name := leftSide(text, i, buf[:0])
	if text[i] == '=' && v == i+1 && connectionKey(text[max(0, i-maxName):i]) {
		m.hide(v, end)
		return end
	}
	if len(value) == 40 && (bytes.Contains(name, []byte("aws")) || bytes.Contains(name, []byte("secretaccesskey"))) &&
		bytes.Contains(name, []byte("secret")) && all(value, base64std) {
		m.hide(v, end)
		return end
	}
	if quote == 0 && len(value) < minBare || !namesSecret(name) || !random(value, quote == 0) {
		return operator
	}
	m.hide(v, end)
	return end
}

func endsBare(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', ';', '&', '#', '"', '\'', '`', ',', '\\', '<', '@':
		return true
	}
	return false
}

func all(s []byte, want uint16) bool {
	for _, c := range s {
		if class[c]&want == 0 {
			return false
		}
	}
	return true
}

// leftSide is the left-hand side of an assignment at i on its line, lower-case
// and without separators, back to a byte that starts a statement or an
// argument.
func leftSide(text []byte, i int, buf []byte) []byte {
	from := i
	for from > 0 && i-from < maxName {
		c := text[from-1]
		if c == '\n' || c == ',' || c == ';' || c == '(' || c == '{' || c == '=' || c == '&' || c == '?' || c == '`' {
			break
		}
		from--
	}
	for _, c := range text[from:i] {
		switch {
		case c >= 'A' && c <= 'Z':
			buf = append(buf, c+'a'-'A')
		case class[c]&alnum != 0:
			buf = append(buf, c)
		}
	}
	return buf
}

// connectionKey tells whether what stands before a "=" is a name under which
// any literal is a secret: a part of a connection string, an entry of an
// .npmrc.
func connectionKey(left []byte) bool {
	for _, s := range []string{":_authToken", ":_auth", ":_password"} {
		if bytes.HasSuffix(left, []byte(s)) {
			return true
		}
	}
	for _, s := range []string{"AccountKey", "SharedAccessKey"} {
		if rest, ok := bytes.CutSuffix(left, []byte(s)); ok && (len(rest) == 0 || class[rest[len(rest)-1]]&word == 0) {
			return true
		}
	}
	return false
}

var secretNames = []string{
	"password", "passwd", "passphrase", "secret", "token", "apikey", "accesskey", "authkey",
	"privatekey", "signingkey", "encryptionkey", "masterkey", "credential", "bearer",
}

// notSecretNames are words that turn a name into one of something else.
var notSecretNames = []string{
	"tokeniz", "public", "hash", "digest", "checksum", "integrity", "sha1", "sha256", "sha512", "fingerprint", "commit", "etag", "version",
}

// namesSecret tells whether a left-hand side in lower case without separators
// names a secret.
func namesSecret(name []byte) bool {
	found := false
	for _, s := range secretNames {
		if bytes.Contains(name, []byte(s)) {
			found = true
			break
		}
	}
	if !found {
		return false
	}
	for _, s := range notSecretNames {
		if bytes.Contains(name, []byte(s)) {
			return false
		}
	}
	return true
}

// placeholders occur in values that stand for a secret.
var placeholders = []string{
	"example", "sample", "changeme", "change_me", "change-me", "placeholder", "dummy", "your", "insert", "replace",
	"redacted", "xxxx", "todo", "fake", "secret", "password", "token", "undefined", "process.env", "environ", "config", "abcdef", "123456",
}

// random tells whether a value is a random literal. It is not if it holds
// marks of templates, calls, paths or URLs, a placeholder or is a UUID.
// Otherwise it must mix letters and digits in the way words with a version do
// not (a change between the two in every tenth byte, at least two; for a bare
// value, which may be an identifier, in every eighth, at least three), and have
// 3.3 bits of entropy a byte, 3 in hexadecimal, where it must also be 32 bytes
// long.
func random(value []byte, bare bool) bool {
	var buf [maxValue]byte
	low := buf[:0]
	var counts [128]uint16
	changes, digits, letters, hex := 0, 0, 0, 0
	last := 0
	for _, c := range value {
		if c >= 0x7f || c <= ' ' {
			return false
		}
		switch c {
		case '<', '>', '{', '}', '(', ')', '$', '[', ']', '`', '\\':
			return false
		}
		counts[c]++
		kind := 0
		switch {
		case class[c]&digit != 0:
			digits++
			kind = 1
		case class[c]&alnum != 0:
			letters++
			kind = 2
		}
		if last != 0 && kind != 0 && kind != last {
			changes++
		}
		last = kind
		if class[c|0x20]&hexLower != 0 {
			hex++
		}
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		low = append(low, c)
	}
	n := len(value)
	least := max(2, n/10)
	if bare {
		least = max(3, n/8)
	}
	if n < minQuoted || digits == 0 || letters == 0 || changes < least || isUUID(value) {
		return false
	}
	if bytes.Contains(low, []byte("://")) || low[0] == '/' || low[0] == '.' || low[0] == '%' || low[0] == '@' {
		return false
	}
	for _, p := range []string{"sha1", "sha256", "sha384", "sha512", "md5"} {
		if rest, ok := bytes.CutPrefix(low, []byte(p)); ok && len(rest) > 0 && (rest[0] == ':' || rest[0] == '-') {
			return false
		}
	}
	for _, p := range placeholders {
		if bytes.Contains(low, []byte(p)) {
			return false
		}
	}
	entropy := 0.0
	for _, k := range counts {
		if k > 0 {
			p := float64(k) / float64(n)
			entropy -= p * math.Log2(p)
		}
	}
	if hex == n {
		return n >= 32 && entropy >= 3
	}
	if n < 20 {
		return entropy >= 3.1
	}
	return entropy >= 3.3
}

func isUUID(s []byte) bool {
	if len(s) != 36 {
		return false
	}
	for i, c := range s {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (c == '-') || !dash && class[c|0x20]&hexLower == 0 {
			return false
		}
	}
	return true
}

// userInfo hides the password in scheme://user:password@host, where it is no
// variable or format, and a random user name alone. i is at the colon.
func (m *masker) userInfo(i int) int {
	const longest = 256
	text := m.in
	next := i + 3
	if i == 0 || class[text[i-1]]&alnum == 0 {
		return next
	}
	colon, at := -1, -1
	for k := next; k < len(text) && k-next < longest && at < 0; k++ {
		switch c := text[k]; {
		case c == '@':
			at = k
		case c == ':' && colon < 0:
			colon = k
		case c <= ' ' || bytes.IndexByte([]byte("/?#\"'`<>{}()[]$\\|,;"), c) >= 0:
			return next
		}
	}
	if at < 0 || at+1 >= len(text) || class[text[at+1]]&alnum == 0 && text[at+1] != '[' {
		return next
	}
	if colon < 0 {
		if user := text[next:at]; len(user) >= 20 && random(user, true) {
			m.hide(next, at)
			return at
		}
		return next
	}
	secret := text[colon+1 : at]
	if len(secret) == 0 || secret[0] == '%' && (len(secret) < 3 || class[secret[1]]&digit == 0) || len(bytes.Trim(secret, "*.x")) == 0 {
		return next
	}
	m.hide(colon+1, at)
	return at
}
