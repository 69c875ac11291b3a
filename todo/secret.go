package todo

import "strings"

// masked stands where a secret stood.
const masked = "[masked]"

// maskText takes out of a text what has the shape of a secret: tokens that
// begin as their makers let them begin, private keys, passwords in addresses,
// and what stands beside a name such as API_KEY. It is a net and not a wall: a
// password that stands alone looks like any word.
func maskText(s string) string {
	var b strings.Builder
	kept := 0 // b has s up to here
	for i := 0; i < len(s); {
		from, to := secretAt(s, i)
		if from == to {
			i++
			continue
		}
		b.WriteString(s[kept:from])
		b.WriteString(masked)
		kept, i = to, to
	}
	if kept == 0 {
		return s // nearly always
	}
	b.WriteString(s[kept:])
	return b.String()
}

// secretAt returns where the secret is that a shape beginning at s[i] holds;
// from equals to when there is none.
func secretAt(s string, i int) (from, to int) {
	switch c := s[i]; {
	case c == ':':
		return addressSecret(s, i)
	case c == '-' && strings.HasPrefix(s[i:], "-----BEGIN "):
		return i, i + pemKey(s[i:])
	case !wordByte(c):
		return 0, 0
	}
	if i == 0 || !alnum(s[i-1]) {
		if n := token(s[i:]); n > 0 {
			return i, i + n
		}
	}
	if i == 0 || !wordByte(s[i-1]) {
		return namedSecret(s, i)
	}
	return 0, 0
}

// A shape is how the tokens of one maker look: a prefix that nothing else has,
// and then at least so many letters and digits, with a digit among them.
type shape struct {
	prefix string
	least  int
	also   string // bytes that stand between the letters and digits
}

// shapes by their first byte, so that most words are dismissed at once.
var shapes = map[byte][]shape{
	'A': {{"AKIA", 16, ""}, {"ASIA", 16, ""}, {"AIza", 30, "_-"}, {"AGE-SECRET-KEY-1", 40, ""}},
	'S': {{"SG.", 40, "._-"}},
	'd': {{"dop_v1_", 40, ""}},
	'g': {
		{"ghp_", 20, ""}, {"gho_", 20, ""}, {"ghu_", 20, ""}, {"ghs_", 20, ""}, {"ghr_", 20, ""}, {"github_pat_", 20, "_"},
		{"glpat-", 16, "_-"}, {"gsk_", 20, ""},
	},
	'h': {{"hf_", 20, ""}},
	'n': {{"npm_", 30, ""}},
	'p': {{"pypi-", 40, "_-"}, {"pplx-", 20, ""}},
	'r': {{"rk_live_", 10, ""}, {"rk_test_", 10, ""}},
	's': {{"sk_live_", 10, ""}, {"sk_test_", 10, ""}, {"shpat_", 20, ""}},
	'w': {{"whsec_", 20, "+/="}},
	'x': {
		{"xoxb-", 10, "-"}, {"xoxp-", 10, "-"}, {"xoxa-", 10, "-"}, {"xoxr-", 10, "-"}, {"xoxs-", 10, "-"}, {"xoxe-", 10, "-"}, {"xoxe.", 10, ".-"},
		{"xapp-", 10, "-"}, {"xai-", 20, ""},
	},
	'y': {{"ya29.", 20, "_-."}},
}

// token measures the token that s begins with; 0: there is none.
func token(s string) int {
	switch {
	case strings.HasPrefix(s, "sk-"):
		// "sk-" begins names of style sheets, too: only one long word with
		// digits in it is a key.
		n := 3 + wordLen(s[3:], "_-")
		if longestWord(s[3:n]) >= 16 && digits(s[3:n]) {
			return n
		}
	case strings.HasPrefix(s, "eyJ"): // {" in base64: a JSON Web Token, of three parts
		head := wordLen(s, "_-")
		if head < 10 || head == len(s) || s[head] != '.' {
			return 0
		}
		n := head + 1 + wordLen(s[head+1:], "_-.")
		if n-head > 10 {
			return n
		}
	default:
		for _, sh := range shapes[s[0]] {
			if rest, ok := strings.CutPrefix(s, sh.prefix); ok {
				if n := wordLen(rest, sh.also); n >= sh.least && digits(rest[:n]) {
					return len(sh.prefix) + n
				}
			}
		}
	}
	return 0
}

// pemKey measures the private key that s begins with, to the end of the text
// where its own is missing; 0: it is something public.
func pemKey(s string) int {
	const end = "-----END "
	label, rest, ok := strings.Cut(s[len("-----BEGIN "):], "-----")
	if !ok || len(label) > 60 || !strings.Contains(label, "PRIVATE KEY") {
		return 0
	}
	at := strings.Index(rest, end)
	if at < 0 {
		return len(s)
	}
	n := len(s) - len(rest) + at + len(end)
	if close := strings.Index(s[n:], "-----"); close >= 0 && close <= 60 {
		n += close + len("-----")
	}
	return n
}

// addressSecret finds the password of an address at its "://":
// postgres://ada:PASSWORD@host, or a user that is a token.
func addressSecret(s string, i int) (from, to int) {
	if !strings.HasPrefix(s[i:], "://") {
		return 0, 0
	}
	from = i + len("://")
	host := s[from:]
	if end := strings.IndexAny(host, "/?#\\\"'`<> \t\r\n"); end >= 0 {
		host = host[:end]
	}
	at := strings.LastIndexByte(host, '@')
	if at < 0 {
		return 0, 0
	}
	user, password, ok := strings.Cut(host[:at], ":")
	switch {
	case !ok && (len(user) < 20 || !digits(user)), // a user, not a token
		ok && reference(password), !ok && reference(user):
		return 0, 0
	case ok:
		from += len(user) + 1
	}
	return from, i + len("://") + at
}

// namedSecret finds the value that stands beside the name of a secret, as
// assignments, JSON, headers, flags and questions of addresses have it.
func namedSecret(s string, i int) (from, to int) {
	end := i + wordLen(s[i:], "_-")
	name, rest := s[i:end], s[end:]
	if len(name) > 60 || rest == "" {
		return 0, 0
	}
	closed := strings.TrimLeft(rest, `\"'`) // a name in quotes
	quoted := len(closed) < len(rest)
	open := strings.TrimLeft(closed, " ")
	spaced := len(open) < len(closed)
	flag := spaced && name[0] == '-'
	switch {
	case scheme(name):
		return credentials(s, end)
	case open == "", open[0] != '=' && open[0] != ':' && !flag, !secretName(name):
		return 0, 0
	case open[0] == '=' || open[0] == ':':
		after := strings.TrimLeft(open[1:], " ")
		flag, spaced = false, spaced || len(after) < len(open)-1
		if open[0] == ':' && header(name) && !quoted {
			return valueAt(s, len(s)-len(after), "\"'`\r\n")
		}
		sure := quoted || open[0] == '=' && !spaced
		open = after
		if open != "" && !sure && open[0] != '"' && open[0] != '\'' {
			// Prose and code have names before colons, too: only what no
			// word looks like counts.
			from, to = valueAt(s, len(s)-len(open), delimiters)
			if to-from < 8 || !digits(s[from:to]) {
				return 0, 0
			}
			return from, to
		}
	}
	from, to = valueAt(s, len(s)-len(open), delimiters)
	if weakName(name) && pathLike(s[from:to]) {
		return 0, 0
	}
	return from, to
}

// delimiters end a value that is not quoted.
const delimiters = " \t\r\n\"'`&;,|()<>\\"

// valueAt is the value that begins at s[i], in quotes or up to one of the
// delimiters; nothing where it only refers to one, or is made by a call.
func valueAt(s string, i int, delimiters string) (from, to int) {
	for i < len(s) && s[i] == '\\' {
		i++ // a quote in a text that is quoted itself
	}
	if i < len(s) && strings.IndexByte("\"'`", s[i]) >= 0 {
		quote := s[i]
		i++
		end := strings.IndexByte(s[i:], quote)
		if end < 0 {
			end = len(s) - i
		}
		value := strings.TrimRight(s[i:i+end], `\`)
		if reference(value) {
			return 0, 0
		}
		return i, i + len(value)
	}
	end := strings.IndexAny(s[i:], delimiters)
	if end < 0 {
		end = len(s) - i
	}
	if value := s[i : i+end]; reference(value) || value[0] == '=' || value[0] == '-' || strings.HasPrefix(s[i+end:], "(") {
		return 0, 0
	}
	return i, i + end
}

// credentials finds what follows "Bearer" or "Basic" at s[i].
func credentials(s string, i int) (from, to int) {
	from = len(s) - len(strings.TrimLeft(s[i:], " "))
	n := wordLen(s[from:], "._~+/=-")
	if from == i || n < 8 || n < 20 && !digits(s[from:from+n]) {
		return 0, 0
	}
	return from, from + n
}

// reference reports whether a value is no secret: nothing, a variable or a
// gap to be filled, or masked already.
func reference(value string) bool {
	return value == "" || strings.IndexByte("$<{%*", value[0]) >= 0 || strings.HasPrefix(value, masked)
}

func scheme(name string) bool {
	return strings.EqualFold(name, "bearer") || strings.EqualFold(name, "basic")
}

func header(name string) bool {
	name = squash(name)
	return strings.HasSuffix(name, "authorization") || strings.HasSuffix(name, "cookie")
}

// secretEnds are how the names of secrets end, whatever stands between their
// words and in whatever case.
var secretEnds = []string{
	"password", "passwords", "passwd", "passphrase", "secret", "secrets", "token", "authorization", "cookie", "cookies",
	"credential", "credentials", "apikey", "accesskey", "privatekey", "secretkey", "signingkey", "encryptionkey", "authkey",
	"accountkey", "masterkey", "jwt",
}

// secretName reports whether a field, variable, header or flag of this name
// holds a secret: DB_PASSWORD, apiKey, X-Auth-Token; not max_tokens.
func secretName(name string) bool {
	squashed := squash(name)
	for _, end := range secretEnds {
		if strings.HasSuffix(squashed, end) {
			return true
		}
	}
	return weakName(name)
}

// weakName reports whether name is one that secrets have as well as other
// things: DB_PASS and Pwd, but also the working directory.
func weakName(name string) bool {
	last := strings.ToLower(name[strings.LastIndexAny(name, "_-")+1:])
	return last == "pass" || last == "pwd" || last == "auth"
}

func pathLike(value string) bool {
	return value != "" && (strings.IndexByte("/.~", value[0]) >= 0 || len(value) > 2 && value[1] == ':' && value[2] == '\\')
}

// squash is a name without case and the marks between its words.
func squash(name string) string {
	squashed := make([]byte, 0, 64)
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'A' && c <= 'Z':
			squashed = append(squashed, c|0x20)
		case strings.IndexByte("_-. ", c) < 0:
			squashed = append(squashed, c)
		}
	}
	return string(squashed)
}

func alnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func wordByte(c byte) bool { return alnum(c) || c == '_' || c == '-' }

// wordLen counts the letters and digits, and the bytes of also, that s begins with.
func wordLen(s, also string) int {
	n := 0
	for n < len(s) && (alnum(s[n]) || strings.IndexByte(also, s[n]) >= 0) {
		n++
	}
	return n
}

func digits(s string) bool { return strings.ContainsAny(s, "0123456789") }

func longestWord(s string) int {
	longest, n := 0, 0
	for i := range len(s) {
		if n++; !alnum(s[i]) {
			n = 0
		}
		longest = max(longest, n)
	}
	return longest
}
