package todo

import "strings"

// masked stands where a secret stood.
const masked = "[masked]"

// MaskText removes from a text what has the shape of a secret: tokens with a known
// prefix, private keys, passwords in addresses, and values beside a name such as
// API_KEY. It cannot find every secret: a password that stands alone looks like any
// word.
func MaskText(s string) string {
	var b strings.Builder
	kept := 0 // b has s up to here
	for i := 0; i < len(s); {
		from, to := secretAt(s, i)
		if from == to || from < kept {
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

// secretAt returns the place of the secret in a shape that starts at s[i]; from
// equals to if there is none.
func secretAt(s string, i int) (from, to int) {
	switch c := s[i]; {
	case c == ':':
		if from, to = addressSecret(s, i); from == to {
			from, to = innerToken(s, i)
		}
		return from, to
	case c == '<':
		return elementSecret(s, i)
	case c == '~', c == '.', c == '@':
		return innerToken(s, i)
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
		return hookSecret(s, i)
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
	if i > 0 && (s[i-1] == '?' || s[i-1] == '&') && open[:min(1, len(open))] == "=" && parameter(name) {
		if from, to = valueAt(s, end+1, delimiters+"#"); to-from >= 16 && random(s[from:to]) {
			return from, to
		}
	}
	if quoted && secretName(name) || strings.EqualFold(name, "auth") {
		if from, to = calledSecret(s, end); from < to {
			return from, to
		}
	}
	if spaced && !quoted && open != "" && spoken(s, i, name, open) {
		return valueAt(s, len(s)-len(open), delimiters)
	}
	switch {
	case scheme(name):
		return credentials(s, end)
	case open == "", open[0] != '=' && open[0] != ':' && !flag, !secretName(name):
		return 0, 0
	case open[0] == '=' || open[0] == ':':
		after := strings.TrimLeft(open[1:], " ")
		flag, spaced = false, spaced || len(after) < len(open)-1
		if open[0] == ':' && header(name) && !quoted {
			return headerSecret(s, len(s)-len(after))
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

// calledSecret is a text in quotes that follows a name without being assigned to
// it, at s[i]:
//
//	define('AUTH_KEY', 'SECRET')
//	auth=("ada", "SECRET")
//	variable "db_password" {
//	  default = "SECRET"
func calledSecret(s string, i int) (from, to int) {
	rest := s[i:min(len(s), i+200)]
	switch trimmed := strings.TrimLeft(rest, "\"' "); {
	case strings.HasPrefix(trimmed, ","), strings.HasPrefix(trimmed, "=("):
		if strings.HasPrefix(trimmed, "=(") {
			comma := strings.IndexByte(trimmed, ',')
			if comma < 0 {
				return 0, 0
			}
			trimmed = trimmed[comma:]
		}
		value := strings.TrimLeft(trimmed[1:], " ")
		if value == "" || value[0] != '"' && value[0] != '\'' {
			return 0, 0
		}
		return valueAt(s, i+len(rest)-len(value), delimiters)
	case strings.HasPrefix(trimmed, "{"):
		_, value, ok := strings.Cut(trimmed, "default")
		if value = strings.TrimLeft(value, " ="); !ok || value == "" || value[0] != '"' {
			return 0, 0
		}
		return valueAt(s, i+len(rest)-len(value), delimiters)
	}
	return 0, 0
}

// elementSecret is what an element of XML holds that names a secret at the "<" of
// its beginning: <password>SECRET</password>.
func elementSecret(s string, i int) (from, to int) {
	end := i + 1 + wordLen(s[i+1:], "_-.")
	if end == len(s) || s[end] != '>' || !secretName(s[i+1:end]) {
		return 0, 0
	}
	n := strings.IndexByte(s[end+1:], '<')
	if n < 0 || reference(s[end+1:end+1+n]) || strings.ContainsAny(s[end+1:end+1+n], "\n") {
		return 0, 0
	}
	return end + 1, end + 1 + n
}

// headerSecret is the value of a header of credentials at s[i], whose scheme may
// stand before a reference: "Bearer $TOKEN".
func headerSecret(s string, i int) (from, to int) {
	from, to = valueAt(s, i, "\"'`\r\n")
	if _, value, ok := strings.Cut(s[from:to], " "); ok && reference(value) {
		return 0, 0
	}
	return from, to
}

// parameter reports whether an address's query of this name can be a key to what
// is there; a short value is none.
func parameter(name string) bool {
	name = squash(name)
	return name == "key" || name == "code" || name == "sig" || strings.HasSuffix(name, "signature")
}

// spoken reports whether the word name at s[i] names what follows without a sign
// between, as netrc and SQL have it:
//
//	machine example.org login ada password hunter2
//	CREATE USER ada IDENTIFIED BY 'hunter2'; ALTER ROLE ada PASSWORD 'hunter2'
func spoken(s string, i int, name, open string) bool {
	before := strings.TrimRight(s[:i], " \t\r\n")
	switch {
	case name == "password" || name == "account":
		rest := strings.TrimRight(before, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.@+")
		if rest = strings.TrimRight(rest, " \t\r\n"); len(rest) < len(before) && (strings.HasSuffix(rest, " login") || strings.HasSuffix(rest, "\nlogin") || strings.HasSuffix(rest, "\tlogin") || rest == "login") {
			return true
		}
		fallthrough
	case strings.EqualFold(name, "password"):
		return open[0] == '\'' && len(open) > 1 && open[1] != '\''
	case name == "AUTH": // of Redis, with or without a user
		return open != "" && strings.HasSuffix(before, ">")
	case strings.EqualFold(name, "by"):
		at := strings.LastIndexAny(before, " \t\n\"'") + 1
		return open[0] == '\'' && strings.EqualFold(before[at:], "identified")
	}
	return false
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

// reference reports whether a value is not a secret: empty, a variable, a
// placeholder, or masked already.
func reference(value string) bool {
	return value == "" || strings.IndexByte("$<{%*", value[0]) >= 0 || strings.HasPrefix(value, masked) ||
		strings.HasPrefix(value, "env:") || strings.HasPrefix(value, "file:")
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
	"accountkey", "masterkey", "jwt", "storepass", "keypass", "userpass", "dbpass", "webhookurl", "connectionstring", "sharedaccesskey", "secretkeybase", "psk", "sonarlogin", "licensekey",
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
	return last == "pass" || last == "pwd" || last == "pw" || last == "auth"
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

// random reports whether a text looks made by a machine: a digit is in it, or
// letters of both cases.
func random(s string) bool {
	return digits(s) || strings.ToLower(s) != s && strings.ToUpper(s) != s
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
