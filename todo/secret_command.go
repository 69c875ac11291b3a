package todo

import "strings"

// A carrier is how a program takes a secret on its command line without saying
// so by a name:
//
//	mysql -uroot -phunter2            glued
//	sshpass -p hunter2 ssh host       flags
//	curl -u ada:hunter2 …             pairs
//	docker login -p hunter2           flags, after "login"
//	aws configure set aws_secret_access_key abc
//	                                  the 2nd operand after "configure set", named by the 1st
type carrier struct {
	after   string // words among the operands that must come before; empty: none
	flags   string // flags whose value is a secret: the next word, behind a "=", or glued to a letter
	glued   string // flags of a letter whose value is a secret only where it is glued to it
	pairs   string // flags whose value is USER:SECRET
	operand int    // which operand behind the words of after is a secret; last: [last]; 0: none
	as      form   // and how it holds the secret
}

type form int

const (
	whole      form = iota
	ifNamed         // if the operand before it names a secret
	asPair          // as USER:SECRET
	asAssigned      // as NAME=SECRET, and so do all operands that follow
)

const (
	last      = -1
	lastOfTwo = -2 // the last one of two or more
)

// carriers returns what program takes secrets by. It is a switch and no map,
// since a map would be built at each start.
func carriers(program string) []carrier {
	switch program {
	case "mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlshow", "mysqlcheck", "mysqlsh", "mysqlpump", "mycli", "xtrabackup",
		"mariadb", "mariadb-dump", "mariadb-admin", "mariadb-import", "mariadb-check", "7z", "7za", "7zz":
		return []carrier{{glued: "-p"}}
	case "rar", "unrar":
		return []carrier{{glued: "-hp -p"}}
	case "plink", "pscp", "psftp", "putty", "kitty":
		return []carrier{{flags: "-pw"}}
	case "schtasks":
		return []carrier{{flags: "/rp /p"}}
	case "wandb", "hf", "huggingface-cli":
		return []carrier{{after: "login", operand: 1}}
	case "kinit", "cryptsetup", "passwd", "openconnect", "gpg", "ssh-add", "su", "sudo": // from a here-string
		return []carrier{{flags: "<<<"}}
	case "curl":
		return []carrier{{pairs: "-u --user -U --proxy-user -b", flags: "--pass --proxy-pass --oauth2-bearer"}}
	case "http", "https", "xh", "xhs":
		return []carrier{{pairs: "-a --auth"}}
	case "sshpass", "xfreerdp", "rdesktop", "influx", "cqlsh", "cypher-shell":
		return []carrier{{flags: "-p"}}
	case "docker", "podman", "nerdctl", "buildah", "helm", "oras", "crane", "skopeo", "cosign", "regctl", "az", "oc", "argocd", "rancher", "cf", "ibmcloud", "faas-cli":
		return []carrier{{after: "login", flags: "-p"}, {after: "auth", flags: "-p"}, {pairs: "--creds --src-creds --dest-creds"}}
	case "twine":
		return []carrier{{flags: "-p"}}
	case "openssl":
		return []carrier{{flags: "-k -K", pairs: "-pass -passin -passout"}}
	case "aws":
		return []carrier{{after: "configure set", operand: 2, as: ifNamed}}
	case "npm", "pnpm", "yarn", "pip", "pip3", "gcloud", "git", "conda", "poetry", "composer", "bundle", "gem", "firebase", "sf", "dotnet":
		return []carrier{
			{after: "config set", operand: 2, as: ifNamed}, {after: "config", operand: 2, as: ifNamed}, {after: "config", operand: 3, as: ifNamed},
			{after: "user-secrets set", operand: 2}, {after: "nuget push", flags: "-k"},
		}
	case "cargo", "vault":
		return []carrier{
			{after: "login", operand: 1}, {after: "kv put", operand: 2, as: asAssigned}, {after: "kv patch", operand: 2, as: asAssigned}, {after: "write", operand: 2, as: asAssigned},
		}
	case "snyk", "ngrok", "doppler", "heroku", "fly", "flyctl", "supabase", "railway", "nuget", "rclone", "wrangler":
		return []carrier{
			{after: "auth", operand: 1}, {after: "authtoken", operand: 1}, {after: "add-authtoken", operand: 1}, {after: "setapikey", operand: 1}, {after: "obscure", operand: 1}, {after: "pass", operand: 1},
			{after: "secrets set", operand: 1, as: asAssigned}, {after: "config:set", operand: 1, as: asAssigned},
		}
	case "gh":
		return []carrier{{after: "secret set", flags: "-b --body"}}
	case "kubectl":
		return []carrier{{after: "create secret", pairs: "--from-literal --docker-password"}}
	case "redis-cli", "keydb-cli", "valkey-cli":
		return []carrier{{flags: "-a"}}
	case "mongo", "mongosh", "mongodump", "mongorestore", "mongoexport", "mongoimport", "mosquitto_pub", "mosquitto_sub":
		return []carrier{{flags: "-p -P"}}
	case "sqlcmd", "bcp", "isql", "osql", "ipmitool", "zip", "unzip", "zipcloak":
		return []carrier{{flags: "-P"}}
	case "ldapsearch", "ldapadd", "ldapmodify", "ldapdelete", "ldapwhoami", "ldappasswd":
		return []carrier{{flags: "-w -s -a"}}
	case "sqlplus", "impdp", "expdp", "rman":
		return []carrier{{operand: 1, as: asPair}}
	case "smbclient", "rpcclient", "smbget", "winexe", "lftp", "evil-winrm":
		return []carrier{{pairs: "-U -u --user"}}
	case "net":
		return []carrier{{after: "use", operand: 3}, {after: "user", operand: 2}}
	case "ConvertTo-SecureString":
		return []carrier{{operand: 1}}
	case "htpasswd":
		return []carrier{{operand: lastOfTwo}}
	case "rabbitmqctl":
		return []carrier{{after: "add_user", operand: 2}, {after: "change_password", operand: 2}, {after: "authenticate_user", operand: 2}}
	case "mc":
		return []carrier{{after: "alias set", operand: 4}, {after: "config host add", operand: 4}}
	case "wpa_passphrase":
		return []carrier{{operand: 2}}
	case "nmcli":
		return []carrier{{after: "password", operand: 1}}
	case "ssh-keygen":
		return []carrier{{flags: "-N -P"}}
	case "keytool", "jarsigner", "apksigner":
		return []carrier{{flags: "-storepass -keypass -srcstorepass -deststorepass -srckeypass -destkeypass"}, {pairs: "--ks-pass --key-pass"}}
	case "signtool":
		return []carrier{{flags: "-p /p"}}
	case "useradd", "usermod":
		return []carrier{{flags: "-p"}}
	case "security":
		return []carrier{{flags: "-w -p"}}
	case "snmpwalk", "snmpget", "snmpset":
		return []carrier{{flags: "-A -X -c"}}
	case "echo", "printf": // into a program that reads a secret: see [piped]
		return []carrier{{operand: last}}
	}
	return nil
}

// takers read a secret, or USER:SECRET, from a pipe.
var takers = []string{"--password-stdin", "--passwd-on-stdin", "--token-stdin", "--with-token", "--passphrase-fd 0", "chpasswd", "sudo -S", "passwd --stdin", "secret set", "secret put", "env add", "openssl base64", "smbpasswd -s", "--stdin-password"}

// maskCommands takes out of a text what commands in it carry as a secret by
// its place.
func maskCommands(s string) string {
	var b strings.Builder
	kept := 0
	for i := 0; i < len(s); {
		if !alnum(s[i]) || i > 0 && (wordByte(s[i-1]) || s[i-1] == '.' || s[i-1] == '$') {
			i++
			continue
		}
		end := i + wordLen(s[i:], "_-")
		program := s[i:end]
		if strings.HasPrefix(s[end:], ".exe ") {
			end += len(".exe")
		}
		if end == len(s) || s[end] != ' ' && s[end] != '\t' {
			i = end
			continue
		}
		rules := carriers(program)
		if rules == nil {
			i = end
			continue
		}
		words := shellWords(s, end)
		if (program == "echo" || program == "printf") && !piped(s, words, end) {
			i = end
			continue
		}
		for _, w := range carried(rules, words) {
			if w.from < kept || reference(s[w.from:w.to]) {
				continue
			}
			b.WriteString(s[kept:w.from])
			b.WriteString(masked)
			kept = w.to
		}
		i = end
	}
	if kept == 0 {
		return s // nearly always
	}
	b.WriteString(s[kept:])
	return b.String()
}

// piped reports whether the command of words, which begins before end, writes
// into one that reads a secret.
func piped(s string, words []word, end int) bool {
	if len(words) > 0 {
		end = words[len(words)-1].to
	}
	rest := strings.TrimLeft(s[end:], " \t\"'")
	if !strings.HasPrefix(rest, "|") {
		return false
	}
	if next := strings.IndexAny(rest, ";\n"); next >= 0 {
		rest = rest[:next]
	}
	for _, taker := range takers {
		if strings.Contains(rest, taker) {
			return true
		}
	}
	return false
}

// A word of a command: its text without the quotes around it, and where that is.
type word struct {
	text     string
	from, to int
	in       int // which text, where each word is one of its own
}

// maxWords is how many words of a command are looked at: a text of thousands of
// commands must not take the square of the time.
const maxWords = 48

// shellWords reads the words of a command from s[i] to its end. A quote that was
// open before, around the whole command, ends it.
func shellWords(s string, i int) []word {
	words := make([]word, 0, 8)
	for len(words) < maxWords {
		for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\\' && i+1 < len(s) && s[i+1] == '\n') {
			if s[i] == '\\' {
				i++
			}
			i++
		}
		if i == len(s) || strings.IndexByte("\n;|&)", s[i]) >= 0 {
			return words
		}
		from := i
		for i < len(s) && strings.IndexByte(" \t\n;|&)", s[i]) < 0 {
			c := s[i]
			if c == '\\' && i+1 < len(s) && s[i+1] != '"' && s[i+1] != '\'' {
				i += 2
				continue
			}
			i++
			if c != '"' && c != '\'' {
				continue
			}
			closing := strings.IndexByte(s[i:], c)
			if closing < 0 || c == '\'' && strings.ContainsRune(s[i:i+closing], '\n') {
				i-- // it closes one that was open before
				if from < i {
					words = append(words, newWord(s, from, i))
				}
				return words
			}
			i += closing + 1
		}
		i = min(i, len(s))
		words = append(words, newWord(s, from, i))
	}
	return words
}

func newWord(s string, from, to int) word {
	from, to = unquoted(s, from, to)
	return word{text: s[from:to], from: from, to: to}
}

// unquoted leaves out the quotes around s[from:to].
func unquoted(s string, from, to int) (int, int) {
	for from < to && strings.IndexByte("\"'\\", s[from]) >= 0 {
		from++
	}
	for from < to && strings.IndexByte("\"'\\", s[to-1]) >= 0 {
		to--
	}
	return from, to
}

// carried returns the places of secrets among the words behind a program, in
// their order.
func carried(rules []carrier, words []word) []word {
	var found []word
	for i, w := range words {
		var next *word
		if i+1 < len(words) {
			next = &words[i+1]
		}
		for _, r := range rules {
			if secret, ok := r.flag(w, next); ok && follows(words[:i], r.after) {
				found = append(found, secret)
				break
			}
		}
	}
	for _, r := range rules {
		found = append(found, r.operands(words)...)
	}
	sortWords(found)
	return found
}

func sortWords(words []word) {
	for i := range words { // a handful
		for k := i; k > 0 && (words[k].in < words[k-1].in || words[k].in == words[k-1].in && words[k].from < words[k-1].from); k-- {
			words[k], words[k-1] = words[k-1], words[k]
		}
	}
}

// follows reports whether the operands among words are, at their beginning, the
// words of after.
func follows(words []word, after string) bool {
	if after == "" {
		return true
	}
	_, ok := behind(words, after)
	return ok
}

// behind returns the operands that follow the words of after. A flag is no
// operand; the value of one is, since nobody knows which flags have values.
func behind(words []word, after string) ([]word, bool) {
	var operands []word
	for _, w := range words {
		if !strings.HasPrefix(w.text, "-") && w.text != "" {
			operands = append(operands, w)
		}
	}
	wanted := strings.Fields(after)
	for start := range operands {
		if len(operands)-start < len(wanted) {
			break
		}
		all := true
		for i, want := range wanted {
			all = all && operands[start+i].text == want
		}
		if all {
			return operands[start+len(wanted):], true
		}
	}
	return operands, after == ""
}

// flag finds the secret that w holds as a flag, or the word after it.
func (r *carrier) flag(w word, next *word) (word, bool) {
	if len(w.text) < 2 || w.text[0] != '-' && w.text[0] != '/' && w.text != "<<<" {
		return word{}, false
	}
	name, value := w, word{}
	short := w.text[0] == '-' && w.text[1] != '-'
	if eq := strings.IndexByte(w.text, '='); eq > 0 && !(short && has(r.flags+" "+r.pairs+" "+r.glued, w.text[:2])) {
		name.text, value = w.text[:eq], w.part(eq+1)
	} else if next != nil {
		value = *next
	}
	switch {
	case has(r.flags, name.text):
		return value, value.text != "" && (value.text[0] != '-' || value.from < w.to)
	case has(r.pairs, name.text):
		return value.pair()
	case short && len(w.text) > 3 && has(r.glued, w.text[:3]): // rar -hpSECRET
		return w.part(3), true
	case short && len(w.text) > 2 && has(r.flags+" "+r.glued, w.text[:2]) && w.text[2] != '-':
		return w.part(2), true
	case short && len(w.text) > 2 && has(r.pairs, w.text[:2]):
		return w.part(2).pair()
	}
	return word{}, false
}

// operands finds the secrets among the words that are not flags.
func (r *carrier) operands(words []word) []word {
	operands, ok := behind(words, r.after)
	at := r.operand - 1
	if r.operand < 0 {
		at = len(operands) - 1
		ok = ok && len(operands) >= -r.operand
	}
	if !ok || at < 0 || at >= len(operands) {
		return nil
	}
	w := operands[at]
	switch r.as {
	case ifNamed:
		if at > 0 && !namesSecret(operands[at-1].text) && (at < 2 || !namesSecret(operands[at-2].text)) {
			return nil
		}
	case asPair:
		if w, ok = w.pair(); !ok {
			return nil
		}
	case asAssigned:
		var found []word
		for _, w := range operands[at:] {
			if secret, ok := w.pair(); ok {
				found = append(found, secret)
			}
		}
		return found
	}
	return []word{w}
}

// namesSecret reports whether a setting such as //host/:_authToken, pypi-token.main
// or http-basic.host holds a secret.
func namesSecret(setting string) bool {
	for part := range strings.FieldsFuncSeq(setting, func(r rune) bool { return strings.ContainsRune("./:", r) }) {
		if secretName(part) || strings.HasSuffix(part, "-basic") {
			return true
		}
	}
	return false
}

// pair is the secret of USER:SECRET, USER%SECRET, USER/SECRET@…, NAME=SECRET or
// pass:SECRET; where nothing follows a ':' it is the token before it.
func (w word) pair() (word, bool) {
	at := strings.IndexAny(w.text, ":%=/,")
	switch {
	case at < 0 || strings.Contains(w.text, "://"), strings.HasPrefix(w.text, "env:"), strings.HasPrefix(w.text, "file:"), strings.HasPrefix(w.text, "fd:"):
		return word{}, false
	case at == len(w.text)-1:
		return word{w.text[:at], w.from, w.from + at, w.in}, at >= 12 && random(w.text[:at])
	}
	return w.part(at + 1), true
}

// part is the word from its n-th byte on, without quotes.
func (w word) part(n int) word {
	from, to := unquoted(w.text, n, len(w.text))
	return word{w.text[from:to], w.from + from, w.from + to, w.in}
}

// has reports whether list, words with a space between them, has name.
func has(list, name string) bool {
	for list != "" {
		var next string
		next, list, _ = strings.Cut(list, " ")
		if next == name && name != "" {
			return true
		}
	}
	return false
}
