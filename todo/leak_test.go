package todo_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/todo"
)

// Made-up secrets: what programs and people make them of. They are put together
// from parts so that no scanner takes them for real ones.
const (
	pw  = "hunter2" + "Xq9"
	h32 = "9f86d081884c7d65" + "9a2feaa0c55ad015"
	h64 = h32 + h32
	b35 = "AAHdqTcvCH1vGWJxfSe" + "ofSAs0K5PALDsaw1"
	w24 = "aB3xY9aB3xY9aB3xY9aB3xY9"
	w43 = w24 + "kQ7wZ2kQ7wZ2kQ7wZ2k"
)

// leaks are texts, each with the secrets in it behind a "|": what a check prints may hold
// them, and none may be left.
var leaks = []string{
	// Addresses that anybody who knows them may write to.
	"curl -X POST https://hooks.slack." + "com/services/T024BE7LD/B024BE7LD/" + w24 + "|B024BE7LD/" + w24,
	"curl https://hooks.slack." + "com/workflows/T016M3G1GHZ/A04J3BAF7AA/442660231806210747/F6Vm03reCkhPmwBtaqbN6OW9|F6Vm03reCkhPmwBtaqbN6OW9",
	"curl -d x https://discord." + "com/api/webhooks/1092345678901234567/" + w43 + "_" + w24 + "|" + w43,
	"https://ptb.discordapp." + "com/api/webhooks/1092345678901234567/" + w43 + "|" + w43,
	"https://contoso.webhook.office." + "com/webhookb2/" + h32 + "@" + h32 + "/IncomingWebhook/" + h32 + "/" + h32 + "|" + h32,
	"https://hooks.zapier." + "com/hooks/catch/1234567/ab1cd2e/|ab1cd2e",
	"https://maker.ifttt." + "com/trigger/door/with/key/" + w24 + "|" + w24,
	"https://hook.eu1.make." + "com/" + h32 + "|" + h32,
	"https://open.feishu." + "cn/open-apis/bot/v2/hook/0f0d6a1e-5b1c-4c1e-9a53-6f0e6a1f2b3c|0f0d6a1e-5b1c",
	"https://oapi.dingtalk.com/robot/send?access_token=" + h64 + "|" + h64,
	"https://hc-ping." + "com/0f0d6a1e-5b1c-4c1e-9a53-6f0e6a1f2b3c|0f0d6a1e-5b1c",
	"https://eoabc123.m.pipedream." + "net/" + w24 + "|" + w24,
	"curl https://api.telegram.org/bot110201543:" + b35 + "/getMe|" + b35,
	"https://acct.blob.core.windows.net/c/f?sv=2022-11-02&sig=" + w24 + "%2B" + w24 + "%3D&se=2026|" + w24,
	"https://b.s3.amazonaws.com/k?X-Amz-Credential=AKIA&X-Amz-Signature=" + h64 + "|" + h64,
	"https://storage.googleapis.com/b/o?X-Goog-Signature=" + h64 + "|" + h64,
	"https://d1.cloudfront.net/f?Expires=1&Signature=" + w43 + "&Key-Pair-Id=K1|" + w43,
	"https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=0f0d6a1e-5b1c-4c1e-9a53-6f0e6a1f2b3c|0f0d6a1e-5b1c",
	"https://x.azurewebsites.net/api/f?code=" + w43 + "==|" + w43,
	"https://" + h32 + ":" + h32 + "@o0.ingest.sentry.io/1|:" + h32,
	"redis://:" + pw + "@cache:6379/0|" + pw,
	"amqp://guest:" + pw + "@mq:5672//|" + pw,
	"mongodb+srv://u:" + pw + "@c0.mongodb.net/db?retryWrites=true|" + pw,
	"jdbc:postgresql://db/x?user=a&password=" + pw + "|" + pw,
	"jdbc:oracle:thin:scott/" + pw + "@//db:1521/XE|" + pw,
	"dsn := \"ada:" + pw + "@tcp(127.0.0.1:3306)/shop\"|" + pw,
	"Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=R;SharedAccessKey=" + w43 + "=|" + w43,
	"DefaultEndpointsProtocol=https;AccountName=a;AccountKey=" + w43 + w43 + "==;EndpointSuffix=core.windows.net|" + w43,

	// Tokens by their own shape, wherever they stand.
	"echo 110201543:" + b35 + "|" + b35,
	"SK" + h32 + "|" + h32,
	"x lin_" + "api_" + w43 + "|" + w43, "lin_" + "oauth_" + h64 + "|" + h64,
	"hvs." + w43 + w43 + "|" + w43, "hvb." + w43 + w43 + w43 + "|" + w43,
	"dp." + "pt." + w43 + "|" + w43, "dp." + "st.prd." + w43 + "|" + w43, "dp." + "ct." + w43 + "|" + w43,
	"dckr_" + "pat_" + w24 + "abc|" + w24, "dckr_" + "oat_" + w24 + "xyz12|" + w24,
	"ntn_" + "12345678901" + w24 + w24 + "|" + w24, "secret_" + w43 + "|" + w43,
	"dapi" + h32 + "|" + h32, "dapi" + h32 + "-2|" + h32,
	"sbp_" + h32 + "01234567|" + h32, "sb_secret_" + w24 + "_ab12cd34|" + w24,
	"tskey-" + "auth-kAbCdEf1CNTRL-" + w24 + "|" + w24,
	"atlas: abcdEFGH123456.atlasv1." + w43 + w43 + "|" + w43,
	"abc8Q" + "~" + w24 + "aBcD1234xy|" + w24,
	"GOCSPX-" + w24 + "1234|" + w24, "ya29." + w43 + "|" + w43, "AIza" + w24 + "1234567890a|" + w24,
	"glrt-" + w24 + "|" + w24, "gldt-" + w24 + "|" + w24, "glptt-" + h32 + "01234567|" + h32, "glsa_" + w24 + "abcdefgh_1a2b3c4d|" + w24, "glc_" + w43 + "|" + w43,
	"GR1348941" + w24 + "|" + w24,
	"shpat_" + h32 + "|" + h32, "shpss_" + h32 + "|" + h32, "shpca_" + h32 + "|" + h32, "shppa_" + h32 + "|" + h32,
	"sq0atp-" + w24 + "|" + w24, "sq0csp-" + w43 + "|" + w43, "EAAA" + w43 + "|" + w43,
	"rubygems_" + h32 + h32[:16] + "|" + h32, "pul-" + h32 + "01234567|" + h32, "PMAK-" + h32[:24] + "-" + h32 + "01|" + h32,
	"pscale_" + "tkn_" + w43 + "|" + w43, "pscale_" + "pw_" + w43 + "|" + w43,
	"sntrys_" + "eyJpYXQiOjE2" + w43 + "_" + w43 + "|" + w43, "sntryu_" + h64 + "|" + h64,
	"figd_" + w43 + "|" + w43, "r8_" + w24 + "1234567890abc|" + w24, "nvapi-" + w43 + "|" + w43, "hf_" + strings.Repeat("abCdEf", 6) + "|abCdEfabCdEf",
	"re_" + "ab12cd34_" + w24 + "|" + w24, "xkeysib-" + h64 + "-abcdEFGH12345678|" + h64, "key-" + h32 + "|" + h32,
	"dt0c01." + w24 + "." + h64 + "|" + h64, "NRAK-" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ1|NOPQRSTUVWXYZ1", "HRKU-" + "AA" + w43 + w24 + "|" + w43,
	"ATATT3" + w43 + w43 + "|" + w43, "ATBB" + w24 + "12345678|" + w24, "AKCp" + w43 + w24 + "|" + w43, "ABSK" + w43 + w43 + "=|" + w43,
	"ops_" + "eyJ" + w43 + w43 + "|" + w43, "A3-" + "ABC123-DEF456-GHJ78-KLM90-NPQ12-RST34|DEF456-GHJ78",
	"LTAI" + w24 + "|" + w24, "API-" + "ABCDEFGHIJKLMNOPQRSTUVWX12|OPQRSTUVWX12",
	"lsv2_" + "pt_" + h32 + "_ab12cd34ef|" + h32, "phx_" + w43 + "|" + w43, "vercel_" + w24 + "|" + w24, "nfp_" + w43 + "|" + w43,
	"pat-na1-" + "0f0d6a1e-5b1c-4c1e-9a53-6f0e6a1f2b3c|9a53-6f0e6a1f2b3c",
	"doo_" + "v1_" + h64 + "|" + h64, "FLWSECK_TEST-" + h32 + "-X|" + h32, "sha256~" + w43 + "|" + w43,
	"xoxe.xoxp-1-" + w43 + w43 + "|" + w43, "xoxc-123456789012-123456789012-" + h64 + "|" + h64, "xapp-1-A012345-123456-" + h64 + "|" + h64,
	"rk_" + "live_" + w24 + "|" + w24, "whsec_" + w24 + "aBcD12|" + w24, "sk-" + "ant-admin01-" + w43 + "|" + w43, "sk-or-v1-" + h64 + "|" + h64,

	// In files and in other languages.
	"machine example.org login ada password " + pw + "|" + pw,
	"machine example.org\n\tlogin ada\n\tpassword " + pw + "\n|" + pw,
	"CREATE USER ada IDENTIFIED BY '" + pw + "';|" + pw,
	"ALTER ROLE ada WITH PASSWORD '" + pw + "';|" + pw,
	"ALTER USER 'ada'@'%' IDENTIFIED BY '" + pw + "';|" + pw,
	"_auth=" + w24 + "|" + w24,
	"[default]\naws_access_key_id = AKIA" + "IOSFODNN7EXAMPL2\naws_secret_access_key = " + w43 + "\n|" + w43 + "|IOSFODNN7EXAMPL2",
	"SLACK_WEBHOOK_URL=https://example.org/" + pw + "|" + pw,
	"Set-Cookie: sid=" + w24 + "; HttpOnly|" + w24,
	"X-Vault-Token: " + w24 + "|" + w24,
	"$env:GITHUB_TOKEN = \"" + w24 + "\"|" + w24,
	"<server><username>ada</username><password>" + pw + "</password></server>|" + pw,
	"requests.get(u, auth=(\"ada\", \"" + pw + "\"))|" + pw,
	pem + "|" + letters,
	"define('AUTH_KEY', '" + pw + "');|" + pw,
	"variable \"db_password\" {\n  default = \"" + pw + "\"\n}|" + pw,
	"network={\n  ssid=\"lab\"\n  psk=\"" + pw + "\"\n}|" + pw,
	"jdbc:oracle:thin:scott/" + pw + "@db:1521:XE|" + pw,
	"plink.exe -ssh ada@h -pw " + pw + " ls|" + pw,

	"sonar-scanner -Dsonar.login=sqp_" + h32 + "01234567|" + h32, "hcaik_" + w43 + "|" + w43, "y0_" + w43 + "|" + w43,
}

// Texts in which nothing is a secret.
var harmless = []string{
	`mysql -uroot -p shop`, `mysql -P 3306 -h db`, `mysql --port=3306 shop`, `curl -u "$USER:$PASS" x`, `curl -sSL -o /tmp/x -b cookies.txt`,
	`docker run -p 8080:80 nginx`, `docker login`, `podman ps -a`, `openssl x509 -in a.pem -noout -text`, `openssl rsa -passin env:PW -in k`,
	`aws configure set region eu-west-1`, `aws s3 ls s3://b`, `npm config set fund false`, `npm run build -- --watch`, `git config user.name Ada`, `git config --global core.editor "code --wait"`,
	`git log -p -3 --stat`, `git commit -m "config: read the token from a file"`, `redis-cli ping`, `zip -r x.zip src`, `unzip -l x.zip`, `7z l x.7z`,
	`ssh-keygen -t ed25519 -f k -N ''`, `kubectl get secret db -o yaml`, `kubectl create deployment x --image=y`, `vault kv get secret/app`, `vault status`,
	`gh secret list`, `gh pr create --body "what it does"`, `echo hello | grep h`, `echo done`, `printf '%s\n' "$x" | sort`, `echo "$TOKEN" | docker login --password-stdin -u ada`,
	`mongosh --host db --eval 'db.x.find()'`, `sqlcmd -S db -E`, `heroku logs --tail`, `fly deploy`, `cargo build --release`, `cargo login`, `snyk test`, `htpasswd -v .htpasswd`,
	`the mysql client reads -p and asks`, `use curl, or http, to ask`, `go test ./... -run TestToken -count=1`, `https://example.org/hooks/use/`,
	`https://hooks.slack.com/services/`, `see https://discord.com/channels/123456789/987654321`, `std::token::Kind re_export_of_names`, `useState_2 sk_buff skb->len`,
	`https://example.org/?key=name&code=404&sort=asc`, `the function's signature: func(int) error`,
	`curl -H "Authorization: Bearer $TOKEN" x`, `openssl enc -pass env:PW -in a`, `<password></password>`, `<token>${T}</token>`, `auth=(user, password)`,
	`grep x <<< "$y"`, `auth("read")`, `variable "name" {`,
	`func (s *Server) Handle() {}`, `a.atlasv1.b`, `v1.0-beta.3`, `~/.config`, `12:30:45`, `10.0.0.1:8080`, `key-value store`, `pattern matching in patterns`, `API-design`,
	`identified by its name`, `password for login`, `git@github.com:a/b.git`, `ssh://git@host:22/a`, `npm@10.2.0`, `user@//x`,
}

func TestLeaks(t *testing.T) {
	for _, leak := range leaks {
		parts := strings.Split(leak, "|")
		// A "|" may stand in the command itself: what is behind the last ones and in it, is a secret.
		text, secrets := parts[0], parts[1:]
		for len(secrets) > 1 && !strings.Contains(text, secrets[0]) {
			text, secrets = text+"|"+secrets[0], secrets[1:]
		}
		in, _ := json.Marshal(map[string]any{"path": text, "files": []string{text}, "pattern": text, "command": text, "cmd": strings.Fields(text), "content": text, text: 1})
		for _, got := range []string{string(todo.Mask(in)), todo.MaskText("first\n" + text + "\nlast")} {
			for _, secret := range secrets {
				if secret == "" || !strings.Contains(text, secret) {
					t.Fatalf("%q does not have %q", text, secret)
				}
				if strings.Contains(got, secret) {
					t.Errorf("%s\nleaks %s:\n%s", text, secret, got)
				}
			}
		}
	}
}

func TestHarmless(t *testing.T) {
	for _, text := range harmless {
		if got := todo.MaskText(text); got != text {
			t.Errorf("%s\nbecomes\n%s", text, got)
		}
	}
}
