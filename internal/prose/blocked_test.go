package prose

import "testing"

func TestBlocked(t *testing.T) {
	for text, want := range map[string]bool{
		"The tests need a database that is not here. Without it I cannot finish B.":         true,
		"I am blocked: the registry wants a password.":                                      true,
		"I’m stuck on the migration.":                                                       true,
		"I need the API key to go on.":                                                      true,
		"I'm waiting for the nightly build.":                                                true,
		"The rest is blocked on the review.\n\n(See above.)":                                true,
		"I was unable to reach the server.\n\nThat is where it stands.":                     true,
		"没有数据库，无法继续。":                                                                       true,
		"データベースがないので、続けることができません。":                                                          true,
		"Ohne die Datenbank komme ich nicht weiter. Ich brauche das Passwort.":              true,
		"Sans la base, je ne peux pas continuer.":                                           true,
		"Sin la base de datos no puedo seguir.":                                             true,
		"":                                                                                  false,
		"Fixed the parser, the tests are next.":                                             false,
		"I will run the tests next.":                                                        false,
		"The first part is done.":                                                           false,
		"I cannot see why that would fail; the tests are green.":                            false,
		"We are no longer blocked by the review.":                                           false,
		"It prints:\n```\nI cannot open the file\n```\nwhich is what we want.":              false,
		"I could not find it at first.\n\nThen I did.\n\nAll is well.\n\nThe tests follow.": false,
		"解析器已完成，接下来写测试。":                                                                    false,
		"Der Parser ist fertig, die Tests folgen.":                                          false,
	} {
		if got := Blocked(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}
