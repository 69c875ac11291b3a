package todo

import "strings"

// A shape is how the tokens of one maker look: a prefix that nothing else has,
// and then at least so many letters and digits that no word of a language is
// among them.
type shape struct {
	prefix string
	least  int
	also   string // bytes that stand between the letters and digits
}

// shapes by their first byte, so that most words are dismissed at once. Prefixes
// and lengths are those that the makers document and that the rules of gitleaks
// (https://github.com/gitleaks/gitleaks, config/gitleaks.toml of 2026) look for.
// Its some 220 expressions do not fit the hook's budget: compiled,
// they cost more than a whole event.
var shapes = [128][]shape{
	'A': {
		{"AKIA", 16, ""}, {"ASIA", 16, ""}, {"ABIA", 16, ""}, {"ACCA", 16, ""}, {"ABSK", 80, "+/="}, {"AKCp", 60, ""},
		{"AIza", 30, "_-"}, {"AGE-SECRET-KEY-1", 40, ""}, {"A3-", 25, "-"}, {"API-", 26, ""}, {"ATATT3", 40, "_-="}, {"ATCTT3", 40, "_-="}, {"ATBB", 28, ""},
	},
	'C': {{"CCIPAT_", 20, "_"}, {"CLOJARS_", 40, ""}},
	'E': {{"EZAK", 50, ""}, {"EZTK", 50, ""}, {"EAAA", 22, "_-"}, {"EAAM", 60, ""}, {"EAAC", 60, ""}},
	'F': {{"FLWSECK_TEST-", 10, "-X"}, {"FLWSECK-", 10, "-X"}},
	'G': {{"GOCSPX-", 20, "_-"}, {"GR1348941", 18, "_-"}},
	'H': {{"HRKU-", 30, "_-"}},
	'L': {{"LTAI", 16, ""}},
	'N': {{"NRAK-", 20, ""}},
	'P': {{"PMAK-", 40, "-"}},
	'S': {{"SG.", 40, "._-"}, {"SK", 32, ""}},
	'a': {{"api_org_", 30, ""}},
	'b': {{"bkua_", 30, ""}},
	'c': {{"cfut_", 30, "_-"}, {"cfat_", 30, "_-"}, {"cio-", 20, ""}, {"cmVmd", 55, ""}},
	'd': {
		{"dapi", 32, "-"}, {"dckr_pat_", 20, "_-"}, {"dckr_oat_", 20, "_-"}, {"doo_v1_", 40, ""}, {"dop_v1_", 40, ""}, {"dor_v1_", 40, ""},
		{"dp.audit.", 30, ""}, {"dp.ct.", 30, ""}, {"dp.pt.", 30, ""}, {"dp.sa.", 30, ""}, {"dp.scim.", 30, ""}, {"dp.st.", 30, "._-"},
		{"dt0c01.", 60, "."}, {"dt0s16.", 60, "."}, {"duffel_live_", 30, "_-="}, {"duffel_test_", 30, "_-="}, {"dd_api_", 30, ""},
	},
	'f': {{"figd_", 30, "_-"}, {"fio-u-", 40, "_-="}, {"fm1a_", 60, "+/="}, {"fm1r_", 60, "+/="}, {"fm2_", 60, "+/="}, {"fo1_", 40, "_-"}},
	'g': {
		{"ghp_", 20, ""}, {"gho_", 20, ""}, {"ghu_", 20, ""}, {"ghs_", 20, ""}, {"ghr_", 20, ""}, {"github_pat_", 20, "_"},
		{"glpat-", 16, "_-."}, {"glptt-", 20, "_-"}, {"gldt-", 16, "_-"}, {"glft-", 16, "_-"}, {"glffct-", 16, "_-"}, {"glimt-", 16, "_-"},
		{"glagent-", 30, "_-"}, {"gloas-", 40, "_-"}, {"glrt-", 16, "_-."}, {"glcbt-", 16, "_-"}, {"glsoat-", 16, "_-"},
		{"glc_", 32, "+/="}, {"glsa_", 32, "_"}, {"gsk_", 20, ""},
	},
	'h': {{"hcaik_", 30, ""}, {"hf_", 20, ""}, {"hvs.", 20, "_-"}, {"hvb.", 20, "_-"}, {"hvr.", 20, "_-"}},
	'i': {{"ico-", 30, ""}, {"ion_", 30, ""}},
	'k': {{"key-", 32, ""}},
	'l': {{"lin_api_", 20, ""}, {"lin_oauth_", 20, ""}, {"lsv2_pt_", 20, "_"}, {"lsv2_sk_", 20, "_"}},
	'm': {{"mgmt_", 40, "_-"}},
	'n': {{"npm_", 30, ""}, {"ntn_", 30, ""}, {"nvapi-", 40, "_-"}, {"nfp_", 30, ""}, {"napi_", 40, ""}},
	'o': {{"ops_eyJ", 60, "+/=_-"}},
	'p': {
		{"pypi-", 40, "_-"}, {"pplx-", 20, ""}, {"p8e-", 30, ""}, {"pat-na1-", 30, "-"}, {"pat-eu1-", 30, "-"}, {"pnu_", 30, ""}, {"pul-", 30, ""},
		{"phc_", 30, ""}, {"phx_", 30, ""}, {"pscale_tkn_", 20, "_=.-"}, {"pscale_pw_", 20, "_=.-"}, {"pscale_oauth_", 20, "_=.-"},
		{"pat", 70, "."},
	},
	'r': {{"rk_live_", 10, ""}, {"rk_test_", 10, ""}, {"rk_prod_", 10, ""}, {"rdme_", 50, ""}, {"rubygems_", 40, ""}, {"r8_", 30, ""}, {"re_", 24, "_"}, {"rnd_", 24, ""}},
	's': {
		{"sk_live_", 10, ""}, {"sk_test_", 10, ""}, {"sk_prod_", 10, ""}, {"shpat_", 20, ""}, {"shpca_", 20, ""}, {"shppa_", 20, ""}, {"shpss_", 20, ""},
		{"sb_secret_", 20, "_-"}, {"sbp_", 30, "_"}, {"secret_", 40, ""}, {"sha256~", 40, "_-"}, {"shippo_live_", 30, ""}, {"shippo_test_", 30, ""},
		{"sgp_", 30, "_"}, {"sqp_", 30, ""}, {"sqa_", 30, ""}, {"squ_", 30, ""}, {"sdk-", 30, "-"}, {"sntrys_", 40, "+/=_"}, {"sntryu_", 40, ""}, {"sq0atp-", 20, "_-"}, {"sq0csp-", 20, "_-"}, {"sk_", 40, ""},
		{"sm_aat_", 16, ""}, {"sm_pat_", 16, ""}, {"sm_sat_", 16, ""}, {"sl.", 60, "_-"}, {"sat.", 50, "._-"},
	},
	't': {{"tk-us-", 40, "_-"}, {"tskey-", 16, "-"}, {"tfp_", 30, "_-"}},
	'v': {{"v1.0-", 60, "-"}, {"vercel_", 20, ""}, {"vca_", 24, ""}, {"vcp_", 24, ""}},
	'w': {{"whsec_", 20, "+/="}},
	'x': {
		{"xoxb-", 10, "-"}, {"xoxp-", 10, "-"}, {"xoxa-", 10, "-"}, {"xoxr-", 10, "-"}, {"xoxs-", 10, "-"}, {"xoxo-", 10, "-"}, {"xoxc-", 10, "-"}, {"xoxd-", 10, "-%"},
		{"xoxe-", 10, "-"}, {"xoxe.", 10, ".-"}, {"xapp-", 10, "-"}, {"xai-", 20, ""}, {"xkeysib-", 40, "-"}, {"xsmtpsib-", 40, "-"},
	},
	'y': {{"ya29.", 20, "_-."}, {"y0_", 40, "_-"}},
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
	case s[0] < 128:
		for _, sh := range shapes[s[0]] {
			if rest, ok := strings.CutPrefix(s, sh.prefix); ok {
				n := wordLen(rest, sh.also)
				if n >= sh.least && random(rest[:n]) && (sh.prefix != "re_" || longestWord(rest[:n]) >= 16) { // names of functions begin so, too
					return len(sh.prefix) + n
				}
			}
		}
	}
	return 0
}

// innerToken finds a token that is known by what stands in it, not by how it
// begins: at the ':' of the token of a bot of Telegram (123456789:AA…, which
// follows "bot" in an address), at the "~" of a client's secret of Entra
// (abc8Q~…), at the dot of one of Terraform (….atlasv1.…).
func innerToken(s string, i int) (from, to int) {
	switch s[i] {
	case ':':
		before := 0
		for before < i && s[i-1-before] >= '0' && s[i-1-before] <= '9' {
			before++
		}
		if n := wordLen(s[i+1:], "_-"); before >= 5 && n == 35 && s[i+1] == 'A' {
			return i + 1, i + 1 + n
		}
	case '@':
		sign := byte(':')
		switch {
		case strings.HasPrefix(s[i:], "@//"), strings.Contains(s[max(0, i-80):i], "jdbc:oracle:"):
			sign = '/'
		case !strings.HasPrefix(s[i:], "@tcp(") && !strings.HasPrefix(s[i:], "@unix("):
			return 0, 0
		}
		start := strings.LastIndexAny(s[:i], " \t\r\n\"'`=") + 1
		if at := strings.IndexByte(s[start:i], sign); at > 0 && !reference(s[start+at+1:i]) {
			return start + at + 1, i
		}
	case '~':
		if i >= 5 && s[i-1] == 'Q' && s[i-2] >= '0' && s[i-2] <= '9' {
			if n := wordLen(s[i+1:], "_-.~"); n >= 31 {
				return i - 5, i + 1 + n
			}
		}
	case '.':
		if rest, ok := strings.CutPrefix(s[i:], ".atlasv1."); ok && i >= 14 {
			if n := wordLen(rest, "_-="); n >= 60 {
				return i - 14, len(s) - len(rest) + n
			}
		}
	}
	return 0, 0
}

// hooks are addresses that let anybody who knows them write: what follows in
// them is a secret.
var hooks = []struct {
	host string
	path string // and how it goes on; the secret follows
}{
	{"hooks.slack.com", "/services/"},
	{"hooks.slack.com", "/workflows/"},
	{"hooks.slack.com", "/triggers/"},
	{"discord.com", "/api/webhooks/"},
	{"discordapp.com", "/api/webhooks/"},
	{"webhook.office.com", "/webhookb2/"},
	{"outlook.office.com", "/webhook/"},
	{"hooks.zapier.com", "/hooks/"},
	{"maker.ifttt.com", "/with/key/"},
	{"maker.ifttt.com", "/use/"},
	{"make.com", "/"},
	{"hooks.airtable.com", "/workflows/"},
	{"open.feishu.cn", "/open-apis/bot/"},
	{"open.larksuite.com", "/open-apis/bot/"},
	{"hc-ping.com", "/"},
	{"events.pagerduty.com", "/integration/"},
	{"api.opsgenie.com", "/v1/json/"},
	{"alert.victorops.com", "/integrations/"},
	{"m.pipedream.net", "/"},
	{"webhooks.gitbook.com", "/"},
}

// hookSecret finds the secret of the address at whose "://" s[i] is.
func hookSecret(s string, i int) (from, to int) {
	from = i + len("://")
	host := s[from:]
	if end := strings.IndexAny(host, addressEnds); end >= 0 {
		host = host[:end]
	}
	name, path, ok := strings.Cut(host, "/")
	if !ok {
		return 0, 0
	}
	path = "/" + path
	for _, h := range hooks {
		if name != h.host && !strings.HasSuffix(name, "."+h.host) {
			continue
		}
		if at := strings.Index(path, h.path); at >= 0 {
			at += len(h.path)
			if secret := path[at:]; !reference(secret) && random(secret) && (h.path != "/" || longestWord(secret) >= 12) {
				return from + len(name) + at, from + len(host)
			}
		}
	}
	return 0, 0
}

// addressEnds end an address in a text.
const addressEnds = "\\\"'`<> \t\r\n)"
