package secrets

import (
	"bytes"
	"encoding/base64"
)

// shape is a token that its prefix tells: the prefix, then between min and max
// bytes of a class (max 0: any number). The byte behind must not belong to the
// class.
type shape struct {
	prefix   string
	class    uint16
	min, max int
	// needs tells what must occur behind the prefix, against identifiers and
	// prose of the same form.
	needs need
}

type need uint8

const (
	nothing need = iota
	aDigit
	mixedCase // a lower-case and an upper-case letter
	digitAndCase
)

// shapes are tried in order at the start of a word.
var shapes = []shape{
	{"AKIA", upperNum, 16, 16, nothing}, // AWS access key ids
	{"ASIA", upperNum, 16, 16, nothing},
	{"AIza", base64url, 35, 35, nothing}, // Google API
	{"ATATT3xFf", base64url, 60, 0, nothing},
	{"ghp_", alnum, 30, 255, nothing}, // GitHub
	{"gho_", alnum, 30, 255, nothing},
	{"ghu_", alnum, 30, 255, nothing},
	{"ghs_", alnum, 30, 255, nothing},
	{"ghr_", alnum, 30, 255, nothing},
	{"github_pat_", word, 40, 255, aDigit},
	{"glpat-", base64url, 20, 300, nothing}, // GitLab
	{"gldt-", base64url, 20, 300, nothing},
	{"glrt-", base64url, 20, 300, nothing},
	{"glptt-", base64url, 20, 300, nothing},
	{"glsa_", word, 32, 60, aDigit},      // Grafana
	{"xoxa-", base64url, 10, 0, aDigit},  // Slack
	{"xoxb-", base64url, 10, 0, aDigit},  //
	{"xoxe-", base64url, 10, 0, aDigit},  //
	{"xoxp-", base64url, 10, 0, aDigit},  //
	{"xoxr-", base64url, 10, 0, aDigit},  //
	{"xoxs-", base64url, 10, 0, aDigit},  //
	{"xapp-", base64url, 20, 0, aDigit},  //
	{"sk_live_", alnum, 16, 0, nothing},  // Stripe
	{"rk_live_", alnum, 16, 0, nothing},  //
	{"sk_test_", alnum, 20, 0, aDigit},   //
	{"rk_test_", alnum, 20, 0, aDigit},   //
	{"whsec_", base64std, 24, 0, aDigit}, //
	{"sk-ant-", base64url, 20, 0, nothing},
	{"sk-proj-", base64url, 20, 0, aDigit}, // OpenAI
	{"sk-svcacct-", base64url, 20, 0, aDigit},
	{"sk-admin-", base64url, 20, 0, aDigit},
	{"sk-or-v1-", hexLower, 32, 0, nothing},
	{"sk-", alnum, 32, 0, aDigit},
	{"npm_", alnum, 36, 36, nothing},
	{"pypi-AgE", base64url, 50, 0, nothing},
	{"SK", hexLower, 32, 32, aDigit}, // Twilio
	{"dop_v1_", hexLower, 64, 64, nothing},
	{"doo_v1_", hexLower, 64, 64, nothing},
	{"dor_v1_", hexLower, 64, 64, nothing},
	{"dckr_pat_", base64url, 20, 0, nothing},
	{"hf_", alnum, 30, 40, mixedCase},
	{"hvs.", base64url, 24, 0, digitAndCase},    // Vault
	{"shpat_", hexLower, 32, 32, nothing},       // Shopify
	{"shpss_", hexLower, 32, 32, nothing},       //
	{"lin_api_", alnum, 40, 40, nothing},        // Linear
	{"ya29.", base64url, 30, 0, nothing},        // Google OAuth
	{"GOCSPX-", base64url, 24, 40, nothing},     //
	{"AGE-SECRET-KEY-1", alnum, 50, 0, nothing}, //
}

// paths are addresses that are a secret by themselves; what follows the prefix
// up to the end of the path is one.
var paths = []string{
	"hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/",
	"discord.com/api/webhooks/", "discordapp.com/api/webhooks/",
}

// shapesByFirst holds the indexes of shapes by first byte.
var shapesByFirst = func() (t [256][]shape) {
	for _, s := range shapes {
		t[s.prefix[0]] = append(t[s.prefix[0]], s)
	}
	return t
}()

// token hides a token that starts at i, where a word starts, and returns the
// offset behind it, or i where there is none.
func (m *masker) token(i int) int {
	rest := m.in[i:]
	c := rest[0]
	for k := range shapesByFirst[c] {
		s := &shapesByFirst[c][k]
		if len(rest) < len(s.prefix)+s.min || rest[1] != s.prefix[1] || string(rest[:len(s.prefix)]) != s.prefix {
			continue
		}
		n := len(s.prefix)
		for n < len(rest) && class[rest[n]]&s.class != 0 {
			n++
		}
		if l := n - len(s.prefix); l < s.min || s.max > 0 && l > s.max {
			continue
		}
		// A longer word is an identifier, not a token.
		if n < len(rest) && class[rest[n]]&word != 0 || !satisfies(rest[len(s.prefix):n], s.needs) {
			continue
		}
		m.hide(i+len(s.prefix), i+n)
		return i + n
	}
	switch {
	case c == 'e' && len(rest) > 30 && rest[1] == 'y' && rest[2] == 'J':
		return m.webToken(i)
	case c == 'S' && len(rest) > 40 && rest[1] == 'G' && rest[2] == '.':
		return m.sendGrid(i)
	case (c == 'M' || c == 'N' || c == 'O') && len(rest) > 50:
		return m.discord(i)
	case c >= '0' && c <= '9':
		return m.telegram(i)
	case c == 'h' || c == 'd':
		return m.webhook(i)
	}
	return i
}

func satisfies(s []byte, n need) bool {
	if n == nothing {
		return true
	}
	var hasDigit, hasLower, hasUpper bool
	for _, c := range s {
		hasDigit = hasDigit || c >= '0' && c <= '9'
		hasLower = hasLower || c >= 'a' && c <= 'z'
		hasUpper = hasUpper || c >= 'A' && c <= 'Z'
	}
	switch n {
	case aDigit:
		return hasDigit
	case mixedCase:
		return hasLower && hasUpper
	}
	return hasDigit && hasLower && hasUpper
}

// part is the end of the run of base64url bytes at i; level tells which part
// of the token it is.
func (m *masker) part(level, i int) int {
	r := &m.runs[level]
	if i >= r.start && i < r.end {
		return r.end
	}
	end := i
	for end < len(m.in) && class[m.in[end]]&base64url != 0 {
		end++
	}
	*r = run{i, end}
	return end
}

// dotted finds three parts joined by dots at i; ok tells whether they are there.
func (m *masker) dotted(i int) (first, second, third int, ok bool) {
	first = m.part(0, i)
	if first >= len(m.in) || m.in[first] != '.' {
		return 0, 0, 0, false
	}
	second = m.part(1, first+1)
	if second >= len(m.in) || m.in[second] != '.' {
		return 0, 0, 0, false
	}
	return first, second, m.part(2, second+1), true
}

// webToken is a JSON Web Token: three base64url parts of which the first is an
// object. The second may be encrypted and so is not looked into.
func (m *masker) webToken(i int) int {
	a, b, c, ok := m.dotted(i)
	if !ok || a-i < 13 || b-a < 11 || c-b < 11 {
		return i
	}
	m.hide(i+3, a)
	m.hide(a+1, b)
	m.hide(b+1, c)
	return c
}

// sendGrid is SG.<22>.<43>.
func (m *masker) sendGrid(i int) int {
	a, b, c, ok := m.dotted(i)
	if !ok || a-i != 2 || b-a-1 < 16 || b-a-1 > 32 || c-b-1 < 32 || c-b-1 > 64 {
		return i
	}
	m.hide(a+1, b)
	m.hide(b+1, c)
	return c
}

// discord is a bot token: the account's number in base64, a time stamp and a
// signature.
func (m *masker) discord(i int) int {
	a, b, c, ok := m.dotted(i)
	if !ok || a-i < 23 || a-i > 28 || b-a-1 != 6 || c-b-1 < 27 || c-b-1 > 40 {
		return i
	}
	var number [24]byte
	n, err := base64.RawURLEncoding.Decode(number[:], m.in[i:a])
	if err != nil {
		return i
	}
	for _, d := range number[:n] {
		if d < '0' || d > '9' {
			return i
		}
	}
	m.hide(i+1, a)
	m.hide(a+1, b)
	m.hide(b+1, c)
	return c
}

// telegram is a bot token: a number, ":AA" and 33 bytes.
func (m *masker) telegram(i int) int {
	n := i
	for n < len(m.in) && n-i <= 10 && class[m.in[n]]&digit != 0 {
		n++
	}
	if n-i < 8 || n-i > 10 || !bytes.HasPrefix(m.in[n:], []byte(":AA")) {
		return i
	}
	start := n + 3
	end := start
	for end < len(m.in) && end-start <= 33 && class[m.in[end]]&base64url != 0 {
		end++
	}
	if end-start != 33 {
		return i
	}
	m.hide(start, end)
	return end
}

func (m *masker) webhook(i int) int {
	for _, p := range paths {
		if m.in[i] != p[0] || !bytes.HasPrefix(m.in[i:], []byte(p)) {
			continue
		}
		end := i + len(p)
		for end < len(m.in) && (class[m.in[end]]&base64url != 0 || m.in[end] == '/') {
			end++
		}
		if end-i-len(p) < 20 {
			return i
		}
		m.hideWords(i+len(p), end)
		return end
	}
	return i
}

// privateKey hides the body of a PEM block with a private key that starts at
// i, be it on lines of its own, in a list of string literals or on one line
// with escaped line breaks. It returns the offset to go on from.
func (m *masker) privateKey(i int) int {
	const dashes, longest = "-----", 48
	text := m.in
	if !bytes.HasPrefix(text[i:], []byte("-----BEGIN ")) {
		return i + 1
	}
	head := text[i+len(dashes) : min(len(text), i+len(dashes)+longest)]
	n := bytes.Index(head, []byte(dashes))
	if n < 0 || !bytes.Contains(head[:n], []byte("PRIVATE KEY")) {
		return i + 1
	}
	start := i + len(dashes) + n + len(dashes)
	end, widest := start, 0
	eachRun(text, start, func(from, to int) {
		widest = max(widest, to-from)
	}, &end)
	closed := bytes.HasPrefix(text[end:], []byte("-----END"))
	least := 40 // without an end only whole lines of a key are one
	if closed {
		least = 24
	}
	if widest < least {
		return max(end, i+1)
	}
	eachRun(text, start, func(from, to int) {
		operator := to-from == 1 && class[text[from]]&alnum == 0
		if !operator && (closed || to-from >= least) {
			m.hide(from, to)
		}
	}, &end)
	return end
}

// eachRun calls yield for the runs of base64 in the body of a PEM block, which
// may hold headers, quotes, joining operators and escapes. end is set to where
// the body stops.
func eachRun(text []byte, start int, yield func(from, to int), end *int) {
	i := start
	for i < len(text) {
		c := text[i]
		switch {
		case class[c]&base64std != 0 || c == '=':
			from := i
			for i < len(text) && (class[text[i]]&base64std != 0 || text[i] == '=') {
				i++
			}
			yield(from, i)
		case c == '\\' && i+1 < len(text) && (text[i+1] == 'n' || text[i+1] == 'r' || text[i+1] == 't'):
			i += 2
		case c == '-' && bytes.HasPrefix(text[i:], []byte("-----")):
			*end = i
			return
		case bytes.IndexByte([]byte(" \t\r\n\\\"'`,:;-.()|#*&_"), c) >= 0:
			i++
		default:
			*end = i
			return
		}
	}
	*end = i
}
