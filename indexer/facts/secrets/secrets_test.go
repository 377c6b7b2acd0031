package secrets

import (
	"bytes"
	"strings"
	"testing"
)

// The literals below are put together from pieces, so that this file holds no
// text that a scanner takes for a credential.

// filler is n bytes of random-looking text that repeats.
func filler(n int) string {
	const s = "k3Zr9QfT1xWv7LbY5mHc2NjP8sDg4RaU6eKw0"
	return strings.Repeat(s, n/len(s)+1)[:n]
}

func hexFiller(n int) string { return strings.Repeat("9f3a7c01be5d8246", n/16+1)[:n] }

// xs is what filler becomes.
func xs(n int) string { return strings.Repeat("x", n) }

func TestMaskHidesKnownShapes(t *testing.T) {
	upper := strings.ToUpper(filler(16))
	for _, c := range []struct{ name, in, want string }{
		{"AWS access key", "id = " + "AKIA" + upper, "id = " + "AKIA" + xs(16)},
		{"AWS temporary key", "(" + "ASIA" + upper + ")", "(" + "ASIA" + xs(16) + ")"},
		{"AWS secret key", "aws_secret_access_key = " + filler(40), "aws_secret_access_key = " + xs(40)},
		{"AWS secret key of the documentation", `aws_secret_access_key="wJalrXUtnFEMI/K7MDENG/bPx` + `RfiCYEXAMPLEKEY"`, `aws_secret_access_key="` + xs(40) + `"`},
		{"AWS secret key in code", "AWS_SECRET: \"" + filler(38) + "/+\",", "AWS_SECRET: \"" + xs(40) + "\","},
		{"GitHub", `"gh` + `p_` + filler(36) + `"`, `"gh` + `p_` + xs(36) + `"`},
		{"GitHub server", "gh" + "s_" + filler(36), "gh" + "s_" + xs(36)},
		{"GitHub fine-grained", "github_" + "pat_" + filler(22) + "_" + filler(59), "github_" + "pat_" + xs(82)},
		{"behind an escape", `"a\ngh` + `p_` + filler(36) + `"`, `"a\ngh` + `p_` + xs(36) + `"`},
		{"GitLab", "token: gl" + "pat-" + filler(20), "token: gl" + "pat-" + xs(20)},
		{"Slack bot", "xo" + "xb-123456789012-" + filler(24), "xo" + "xb-" + xs(37)},
		{"Slack webhook", "https://hooks." + "slack.com/services/T0123ABCD/B0123ABCD/" + filler(24) + ">", "https://hooks." + "slack.com/services/" + xs(9) + "/" + xs(9) + "/" + xs(24) + ">"},
		{"Discord webhook", "https://discord." + "com/api/webhooks/123456789012345678/" + filler(68), "https://discord." + "com/api/webhooks/" + xs(18) + "/" + xs(68)},
		{"Stripe", "sk_" + "live_" + filler(24), "sk_" + "live_" + xs(24)},
		{"Stripe restricted", "rk_" + "live_" + filler(24), "rk_" + "live_" + xs(24)},
		{"Google", "AI" + "za" + filler(35) + "&x", "AI" + "za" + xs(35) + "&x"},
		{"npm", "np" + "m_" + filler(36), "np" + "m_" + xs(36)},
		{"npmrc", "//registry.example.com/:_auth" + "Token=" + filler(30) + "\n", "//registry.example.com/:_auth" + "Token=" + xs(30) + "\n"},
		{"PyPI", "py" + "pi-AgEIcHlwaS5vcmc" + filler(60), "py" + "pi-AgE" + xs(72)},
		{"OpenAI", "s" + "k-" + filler(48), "s" + "k-" + xs(48)},
		{"OpenAI project", "s" + "k-proj-" + filler(40) + "-_" + filler(20), "s" + "k-proj-" + xs(62)},
		{"Anthropic", "s" + "k-ant-api03-" + filler(80), "s" + "k-ant-" + xs(86)},
		{"SendGrid", "S" + "G." + filler(22) + "." + filler(43), "S" + "G." + xs(22) + "." + xs(43)},
		{"Twilio", "S" + "K" + hexFiller(32), "S" + "K" + xs(32)},
		{"Azure storage", "AccountName=a;Account" + "Key=" + filler(86) + "==;Endpoint=b", "AccountName=a;Account" + "Key=" + xs(88) + ";Endpoint=b"},
		{"DigitalOcean", "dop_" + "v1_" + hexFiller(64), "dop_" + "v1_" + xs(64)},
		{"Hugging Face", "h" + "f_" + filler(34), "h" + "f_" + xs(34)},
		{"Telegram", "123456789" + ":AA" + filler(33), "123456789" + ":AA" + xs(33)},
		{"Discord bot", "MTIzNDU2Nzg5MDEyMzQ1Njc4" + ".abcdef." + filler(27), "M" + xs(23) + "." + xs(6) + "." + xs(27)},
		{"JSON Web Token", "Bearer ey" + "Jhbg" + filler(20) + ".ey" + "Jz" + filler(30) + "." + filler(43), "Bearer ey" + "J" + xs(23) + "." + xs(34) + "." + xs(43)},
		{"URL", "postgres" + "://app:hunter2@db:5432/x", "postgres" + "://app:xxxxxxx@db:5432/x"},
		{"URL without user", "redis" + "://:s3cr3t@cache", "redis" + "://:xxxxxx@cache"},
		{"URL with a token for a user", "https" + "://" + filler(30) + "@host/x", "https" + "://" + xs(30) + "@host/x"},
		{"quoted assignment", `db_password = "` + filler(16) + `"`, `db_password = "` + xs(16) + `"`},
		{"JSON", `{"clientSecret": "` + filler(24) + `"}`, `{"clientSecret": "` + xs(24) + `"}`},
		{"typed assignment", `apiToken: string = '` + filler(24) + `'`, `apiToken: string = '` + xs(24) + `'`},
		{"Go declaration", `const authToken string = "` + filler(24) + `"`, `const authToken string = "` + xs(24) + `"`},
		{"Ruby hash", `:api_key => "` + hexFiller(32) + `"`, `:api_key => "` + xs(32) + `"`},
		{"environment file", "export SLACK_TOKEN=" + filler(32) + "\nA=1", "export SLACK_TOKEN=" + xs(32) + "\nA=1"},
		{"YAML", "  secret: " + filler(32) + "\r\n", "  secret: " + xs(32) + "\r\n"},
		{"beside other alphabets", "密钥 gh" + "p_" + filler(36) + " é", "密钥 gh" + "p_" + xs(36) + " é"},
		{"private key", "-----BEGIN RSA PRIVATE" + " KEY-----\n" + filler(64) + "\n" + filler(10) + "==\n-----END RSA PRIVATE" + " KEY-----\n", "-----BEGIN RSA PRIVATE" + " KEY-----\n" + xs(64) + "\n" + xs(12) + "\n-----END RSA PRIVATE" + " KEY-----\n"},
		{"private key on one line", `"private_key": "-----BEGIN PRIVATE` + ` KEY-----\n` + filler(64) + `\n` + filler(8) + `\n-----END PRIVATE` + ` KEY-----\n"`, `"private_key": "-----BEGIN PRIVATE` + ` KEY-----\n` + xs(64) + `\n` + xs(8) + `\n-----END PRIVATE` + ` KEY-----\n"`},
		{"private key in string literals", `"-----BEGIN EC PRIVATE` + ` KEY-----\n" +` + "\n  \"" + filler(64) + `\n" +` + "\n  \"-----END EC PRIVATE" + ` KEY-----"`, `"-----BEGIN EC PRIVATE` + ` KEY-----\n" +` + "\n  \"" + xs(64) + `\n" +` + "\n  \"-----END EC PRIVATE" + ` KEY-----"`},
		{"truncated private key", "-----BEGIN PRIVATE" + " KEY-----\n" + filler(64) + "\n" + filler(64), "-----BEGIN PRIVATE" + " KEY-----\n" + xs(64) + "\n" + xs(64)},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := []byte(c.in)
			got, changed := Mask(in)
			if string(got) != c.want || !changed {
				t.Errorf("Mask = %q, %v\nwant   %q", got, changed, c.want)
			}
			if string(in) != c.in {
				t.Error("the argument was changed")
			}
			again, changed := Mask(got)
			if changed || !bytes.Equal(again, got) {
				t.Errorf("masked again: %q", again)
			}
			if s := MaskString(c.in); s != c.want {
				t.Errorf("MaskString = %q", s)
			}
		})
	}
}

func TestMaskKeepsEverythingElse(t *testing.T) {
	for _, in := range []string{
		"",
		`"integrity": "sha512-` + filler(86) + `=="`,
		"github.com/a/b v1.2.3 h1:" + filler(43) + "=",
		"modernc.org/token v1.0.1/go.mod h1:" + filler(43) + "=\n", `"token": "sha1:` + hexFiller(40) + `"`,
		"commit " + hexFiller(40),
		`token_id: "123e4567-e89b-12d3-a456-426614174000"`,
		`image: app@sha256:` + hexFiller(64),
		`password = os.environ["DB_PASSWORD_1A2B3C4D5E"]`,
		`password = getenv("DB_PASSWORD_1A2B")`,
		"password: ${DB_PASSWORD_1A2B3C4D}", "password: {{ vault_a1b2c3d4e5f6g7 }}", "token: $CI_JOB_TOKEN_1A2B3C4",
		`secret = "your-s3cr3t-t0k3n-h3r3"`, `apiKey = "<insert-4p1-k3y-h3r3>"`, `password = "changeme-1a2b3c4d"`,
		`secretName: my-application-v2-tls-secret`, `secretName: "prod-eu-west-1-db-2-credentials"`,
		`token = parseAuthToken2FromHeader3(request)`,
		`tokenType = TokenTypeOAuth2AccessToken`,
		"PrivateKey:  testEd25519PrivateKey,", `serviceAccountKey = "service_account"`, "``SECRET_KEY``. :ghsa:`4grg-w6v8-c28g`",
		`passwordHash: "` + filler(40) + `"`,
		`type tokenizer: "` + filler(40) + `"`,
		`_authToken=${NPM_TOKEN}`, "//registry.example.com/:_authToken=${NPM_TOKEN}",
		"https://user@example.com/x", "https://example.com:8080/a@b", "http://$user:$pass@host", "http://{user}:{pass}@host", "http://%s:%s@host", "http://user:***@host",
		"mailto:a@b.c", "a://b", "://", "user: name@host",
		"sk-folding-cube sk-circle-fade-dot1 task-runner-abcdefghijklmnop", "SKAbstractMethodCalledFromBaseClass12", "hf_model_name_with_many_words_in_it_and_more",
		"npm_config_registry_and_many_more_words_here", "AKIA", "AKIAlowercase1234567", "xAKIA" + strings.ToUpper(filler(16)), "AKIA" + strings.ToUpper(filler(17)),
		"eyJ.eyJ.x", "MyClass.method.call", "N.B.C", "12345678:AA", "1234567890:30",
		`if strings.HasPrefix(s, "-----BEGIN RSA PRIVATE KEY-----") { return errPrivateKeyInConfigurationFile }`,
		"-----BEGIN CERTIFICATE-----\n" + filler(64) + "\n-----END CERTIFICATE-----",
		"-----BEGIN PUBLIC KEY-----\n" + filler(64) + "\n-----END PUBLIC KEY-----",
		"-----BEGIN PRIVATE KEY-----", "-----BEGIN ", "-----", "key = \"" + filler(40) + "\"",
		`cacheKey: "` + filler(32) + `"`, `id="` + filler(32) + `"`,
	} {
		if got, changed := Mask([]byte(in)); changed {
			t.Errorf("Mask(%q) = %q", in, got)
		}
	}
}

// Overlapping attempts must not make the time grow with the square of the
// length.
func TestMaskIsLinear(t *testing.T) {
	for _, piece := range []string{"eyJ-", "eyJhbGciOiJIUzI1NiJ9.", "SG.", "a://", "a=", `="a`, "-----BEGIN PRIVATE KEY-----", "token='", "x://a:", "M-", "AKIA", "12345678:"} {
		text := bytes.Repeat([]byte(piece), 1<<20/len(piece))
		if out, _ := Mask(text); len(out) != len(text) {
			t.Errorf("%q: length changed", piece)
		}
	}
}

func FuzzMask(f *testing.F) {
	f.Add([]byte("token = \"" + filler(30) + "\"\n-----BEGIN PRIVATE KEY-----\n" + filler(64) + "\n-----END"))
	f.Add([]byte("ey" + "Jhbg" + filler(20) + ".ey" + "Jz" + filler(30) + "." + filler(43)))
	f.Add([]byte("123456789:AA" + filler(33) + " MTIzNDU2Nzg5MDEyMzQ1Njc4.abcdef." + filler(27)))
	f.Add([]byte("postgres://a:b@c AccountKey=" + filler(30) + " hf_" + filler(34) + " S" + "G." + filler(22) + "." + filler(43)))
	f.Fuzz(func(t *testing.T, in []byte) {
		before := bytes.Clone(in)
		out, changed := Mask(in)
		if !bytes.Equal(in, before) {
			t.Fatal("the argument was changed")
		}
		if len(out) != len(in) || changed == bytes.Equal(out, in) {
			t.Fatalf("length %d of %d, changed %v", len(out), len(in), changed)
		}
		for i := range in {
			if out[i] != in[i] && (out[i] != mark || in[i] == '\n' || in[i] == '\r') {
				t.Fatalf("byte %d became %q", i, out[i])
			}
		}
		if again, changed := Mask(out); changed {
			t.Fatalf("not settled:\n%q\n%q\n%q", in, out, again)
		}
	})
}

func BenchmarkMask(b *testing.B) {
	line := "\tif err := store.Save(ctx, key, value); err != nil { return fmt.Errorf(\"save %s: %w\", key, err) } // keep the token\n"
	text := []byte(strings.Repeat(line, 10000))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, changed := Mask(text); changed {
			b.Fatal("masked")
		}
	}
}
