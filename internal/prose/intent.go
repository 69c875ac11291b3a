package prose

import (
	"slices"
	"strings"
)

// A person's last prompt takes priority over the plan: an agent whose user says
// "stop", or only asks something, must not be pushed on by its list.
//
//	Stop. Do nothing more for now.          Stop
//	Only do step A, then stop.              Stop
//	What does main.go do?                   Question
//	Why does the build fail? Fix it.        Work
//	Don't stop until all tests pass.        Work

// An Intent is what a prompt means for the work that is already planned.
type Intent int

const (
	Work     Intent = iota // go on: it asks for work, or says nothing about the plan
	Question               // it only asks for an answer
	Stop                   // it tells the agent to stop or to wait
)

// maxIntent is how many bytes of a prompt are read for its intent: a user who
// wants an agent to stop says so in a few words.
const maxIntent = 4 << 10

// IntentOf returns what a prompt means for the work that is already planned.
func IntentOf(prompt string) Intent {
	var m intents
	prose := ownWords(cutBytes(prompt, maxIntent))
	if len(prompt) <= maxIntent && strings.TrimSpace(prose) == "" {
		return Work
	}
	prose = strings.NewReplacer("’", "'", "()", "-fn").Replace(unlisted(prose)) // stop() is a name
	for _, s := range phrases(prose) {
		text := make([]string, len(s))
		for i := range s {
			text[i] = s[i].word
		}
		if whole := strings.Join(text, " "); wide(whole + whole) { // one sign may be all
			m.wide(s, whole)
		} else {
			m.sentence(s)
		}
	}
	return m.all()
}

// unlisted is a text without the marks of its lists.
func unlisted(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		l = strings.TrimSpace(l)
		lines[i] = strings.TrimPrefix(l, bullet(l))
	}
	return strings.Join(lines, "\n")
}

// A sense is what one clause of a prompt means.
type sense int

const (
	nothing  sense = iota // a word or two that mean nothing alone
	says                  // it tells something
	question              // it asks for words
	work                  // it asks for something to be done
	onward                // it says to go on
	halt                  // it stops the agent; what is asked for besides does not change that
	hold                  // it holds it back, if nothing is asked for after it
	limit                 // it says what alone is to be done
	thanks                // it may be a goodbye
)

// intents are what the clauses of a prompt mean together.
type intents struct {
	halted, held, thanked, worked, asked, said bool
}

func (m *intents) add(s sense) {
	switch s {
	case halt:
		m.halted = true
	case hold:
		m.held = true
	case limit:
		// After a piece of work, "only change the tests" says how to do it.
		m.held = m.held || !m.worked
		m.worked = true
	case thanks:
		m.thanked = true
	case onward:
		m.halted, m.held, m.worked = false, false, true
	case work:
		m.held, m.worked = false, true
	case question:
		m.asked = true
	case says:
		m.said = true
	}
}

func (m *intents) all() Intent {
	switch {
	case m.halted, m.held, m.thanked && !m.worked:
		return Stop
	case m.asked && !m.worked && !m.said:
		return Question
	default:
		return Work
	}
}

// sentence adds what a sentence means, clause by clause.
func (m *intents) sentence(s phrase) {
	asking := interrogative(s)
	conditional := false // what follows "if …" holds only then
	told := tells(s)
	for from := 0; from < len(s); {
		to := from + 1
		for to < len(s) && s[to-1].stop == 0 && !contrast.has(s[to].word) && !conjunction.has(s[to].word) {
			to++
		}
		sense := clauseSense(s, from, to, asking, told)
		if conditional && (sense == halt || sense == hold) {
			sense = nothing
		}
		m.add(sense)
		conditional = conditional || condition.has(s[from].word)
		from = to
	}
}

// interrogative says that a sentence asks, by its mark or by its first word.
func interrogative(s phrase) bool {
	if s.asksSomething() {
		return true
	}
	i := 0
	for i < len(s)-1 && filler.has(s[i].word) {
		i++
	}
	return interrogation.has(s[i].word)
}

// clauseSense is what the clause of a sentence means that goes from one word to
// another.
func clauseSense(s phrase, from, to int, asking, told bool) sense {
	words := unled(s[from:to])
	if len(words) == 0 {
		return nothing
	}
	text := strings.Join(words, " ") + " "
	led := len(words) < to-from
	if !asking || from == 0 {
		if sense := spoken(text); sense != nothing {
			return sense
		}
	}
	if asking && containsAny(" "+text, forward...) {
		return work
	}
	r := requestAt(s, from)
	switch {
	case asking && from == 0 && !r.led:
		return question
	case r.verb >= 0 && !r.never && (r.led || !asking && !told):
		if inWords.has(s[r.verb].word) {
			return question
		}
		return work
	case asking:
		return question
	case words[0] == "do" || words[0] == "try":
		return work
	case len(words) <= 2 && (led || allFill(words)):
		return nothing
	}
	return says
}

// forward are parts of questions that ask for something to be done.
var forward = []string{
	" why don't you ", " why don't we ", " why not ", " how about ", " what about ", " would you mind ", " are you able to ", " is it possible to ", " did you stop ", " you stopped ", " are you waiting ", " are you stopping ", " have you stopped ", " did you pause ", " do you stop ",
}

// allFill says that words mean nothing alone: ok, alright then.
func allFill(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !interjection.has(w) && !filler.has(w) })
}

// unled is the words of a clause without those that lead to what it says.
func unled(s phrase) []string {
	words := make([]string, len(s))
	for i := range s {
		words[i] = s[i].word
	}
	for again := true; again; {
		again = false
		for _, lead := range leads {
			if n := strings.Count(lead, " "); len(words) >= n && strings.Join(words[:n], " ")+" " == lead {
				words, again = words[n:], true
			}
		}
	}
	return words
}

// leads come before what is said. Each ends with a space.
var leads = []string{
	"ok ", "okay ", "please ", "pls ", "hey ", "hi ", "nope ", "well ", "oh ", "sorry ", "actually ", "and ", "but ", "so ", "then ", "now ", "alright ", "right ", "yes ", "yeah ", "hm ", "hmm ", "also ", "or ",
	"you can ", "you may ", "you should ", "you could ", "can you ", "could you ", "would you ", "will you ", "i want you to ", "i need you to ", "i'd like you to ", "let's ", "lets ", "let us ", "we can ", "i said ", "can we ", "we should ", "go ahead and ",
	"und ", "aber ", "bitte ", "dann ", "jetzt ", "kannst du ", "du kannst ", "du sollst ", "nein ", "gut ", "mal ",
	"et ", "mais ", "puis ", "s'il te plaît ", "s'il vous plaît ", "maintenant ", "tu peux ", "peux-tu ",
	"y ", "pero ", "luego ", "ahora ", "por favor ", "puedes ",
}

// A saying begins a clause. follow lists the words that may come next; "*" is
// anything, and the clause may always end there.
type saying struct {
	begin, follow string
	means         sense
}

const (
	atOnce = "now please right immediately for here there and today bitte jetzt"
	later  = "yet now else more further for until till before please here at today without unless again"
)

// sayings are looked for in their order.
var sayings = []saying{
	{"continue tomorrow", "*", hold}, {"continue later", "*", hold}, {"continue another", "*", hold}, {"pick this up", "*", hold},
	{"continue", "*", onward}, {"proceed", "*", onward}, {"resume", "*", onward}, {"go on", "*", onward}, {"go ahead", "*", onward}, {"go for it", "*", onward}, {"carry on", "*", onward},
	{"keep going", "*", onward}, {"keep working", "*", onward}, {"keep on", "*", onward}, {"next", "", onward}, {"just continue", "*", onward}, {"just go", "*", onward}, {"just keep", "*", onward}, {"just proceed", "*", onward},
	{"just do it", "*", onward}, {"just do all", "*", onward}, {"just do everything", "*", onward}, {"just finish", "*", onward}, {"weiter", "*", onward}, {"mach weiter", "*", onward}, {"weitermachen", "*", onward}, {"continuez", "*", onward}, {"continúa", "*", onward}, {"sigue", "*", onward}, {"adelante", "*", onward},

	{"stop it", atOnce, halt}, {"stop this", atOnce, halt}, {"stop that", atOnce, halt}, {"stop everything", "*", halt}, {"stop all work", "*", halt}, {"stop the work", "*", halt}, {"stop work", "*", halt},
	{"stop", atOnce + " after at when once doing working coding editing making changing implementing writing what with before until", halt},
	{"stopp", "*", halt}, {"halt", atOnce, halt}, {"hör auf", "*", halt}, {"aufhören", "*", halt}, {"pause", atOnce + " it until till after the work working kurz", halt}, {"take a break", "*", halt},
	{"do nothing", "*", halt}, {"nothing more", "*", hold}, {"nothing else", "*", hold}, {"nothing for now", "*", hold}, {"no more", "changes work edits for code now please", hold}, {"no changes", later, hold}, {"no code", later, hold}, {"no edits", later, hold},
	{"enough", "for now already today", halt}, {"that's enough", "*", halt}, {"that is enough", "*", halt}, {"arrête", "là ici maintenant tout de", halt}, {"arrête-toi", "*", halt}, {"arrêtez", "là ici maintenant tout de", halt}, {"ça suffit", "*", halt},
	{"detente", "*", halt}, {"detén", "todo", halt}, {"para", "ahí aquí ya por", halt}, {"alto", "ahí", halt}, {"basta", "*", halt}, {"das reicht", "*", halt}, {"schluss", "für jetzt damit", halt}, {"mach nichts", "*", halt}, {"tu nichts", "*", halt},

	{"wait for me", "*", hold}, {"wait for my", "*", hold}, {"wait until i", "*", hold}, {"wait till i", "*", hold}, {"wait before", "*", hold}, {"wait with", "*", hold}, {"wait a", "moment minute second sec bit while little", hold}, {"wait", "here there please now on what why how is", hold},
	{"waiting", "", nothing}, {"hold on to", "*", nothing}, {"hold on", "*", hold}, {"hold off", "*", hold}, {"hold it", "", hold}, {"hang on", "*", hold}, {"one moment", "*", hold}, {"just a moment", "*", hold}, {"just a second", "*", hold},
	{"cancel", "", hold}, {"cancel that", "", hold}, {"cancel it", "", hold}, {"cancel everything", "*", hold}, {"abort", "", hold}, {"abort it", "", hold}, {"never mind", "*", hold}, {"nevermind", "*", hold}, {"forget it", "", hold}, {"forget about it", "", hold}, {"leave it", "at there as for be alone", hold},
	{"that is all", "for i you today thanks thank", hold}, {"that's all", "for i you today thanks thank", hold}, {"thats all", "for i you today thanks thank", hold}, {"that's it", "for today thanks", hold}, {"that will be all", "*", hold}, {"that'll be all", "*", hold},
	{"done for", "today now", hold}, {"we're done", "*", hold}, {"we are done", "*", hold}, {"i'm done", "*", hold}, {"good night", "*", hold}, {"bye", "*", hold}, {"see you", "*", hold}, {"call it a day", "*", hold},
	{"let me think", "*", hold}, {"let me check", "*", hold}, {"let me look", "*", hold}, {"let me review", "*", hold}, {"let me read", "*", hold}, {"let me do", "*", hold}, {"let me take", "*", hold}, {"i'll take over", "*", hold}, {"i will take over", "*", hold}, {"not yet", "*", hold}, {"not now", "*", hold},
	{"you don't need to do anything", "*", hold}, {"you don't have to do anything", "*", hold},
	{"warte", "*", hold}, {"warten", "*", hold}, {"moment", "mal bitte", hold}, {"noch nicht", "*", hold}, {"nichts mehr", "*", hold}, {"nichts weiter", "*", hold}, {"nichts ändern", "*", hold}, {"nichts tun", "*", hold}, {"ändere nichts", "*", hold}, {"ändere noch nichts", "*", hold}, {"mach noch nichts", "*", hold}, {"mach nicht weiter", "*", hold}, {"nicht weitermachen", "*", hold}, {"das war's", "*", hold}, {"das wars", "*", hold}, {"das ist alles", "*", hold}, {"lass es", "so sein gut", hold}, {"lass das", "so sein", hold},
	{"attends", "*", hold}, {"attendez", "*", hold}, {"un instant", "*", hold}, {"c'est tout", "*", hold}, {"rien d'autre", "*", hold}, {"rien de plus", "*", hold}, {"laisse tomber", "*", hold}, {"ne fais rien", "*", hold}, {"ne fais plus rien", "*", hold}, {"ne faites rien", "*", hold}, {"ne change rien", "*", hold}, {"ne changez rien", "*", hold}, {"ne touche à rien", "*", hold}, {"ne modifie rien", "*", hold}, {"ne continue pas", "*", hold}, {"pas encore", "*", hold},
	{"espera", "*", hold}, {"espere", "*", hold}, {"un momento", "*", hold}, {"pausa", "*", hold}, {"eso es todo", "*", hold}, {"es todo", "*", hold}, {"nada más", "*", hold}, {"déjalo", "*", hold}, {"no hagas nada", "*", hold}, {"no cambies nada", "*", hold}, {"no toques nada", "*", hold}, {"no modifiques nada", "*", hold}, {"no sigas", "*", hold}, {"todavía no", "*", hold}, {"hagas nada", "*", hold}, {"cambies nada", "*", hold}, {"toques nada", "*", hold}, {"modifiques nada", "*", hold}, {"sigas", "", hold},

	{"thanks to", "*", nothing}, {"thanks", "*", thanks}, {"thank you", "*", thanks}, {"thx", "*", thanks}, {"danke", "*", thanks}, {"merci", "*", thanks}, {"gracias", "*", thanks}, {"vielen dank", "*", thanks}, {"muchas gracias", "*", thanks},
}

// spoken is what a clause means by the words that it begins with, or nothing.
func spoken(text string) sense {
	for i := range sayings {
		if sayings[i].begins(text) {
			return sayings[i].means
		}
	}
	for _, wish := range [...]string{"i want to ", "i'd like to ", "i would like to ", "i need to ", "i have to "} {
		if rest, ok := strings.CutPrefix(text, wish); ok && among(firstOf(rest), "think look check discuss talk understand see review read know ask go leave") {
			return question
		}
	}
	for _, no := range [...]string{"do not ", "don't ", "dont ", "never ", "ne ", "nicht "} {
		if rest, ok := strings.CutPrefix(text, no); ok {
			return refused(rest)
		}
	}
	for _, only := range [...]string{"only ", "just ", "nur ", "bloß ", "seulement ", "juste ", "uniquement ", "solo ", "sólo ", "solamente "} {
		if rest, ok := strings.CutPrefix(text, only); ok {
			return limited(rest)
		}
	}
	return nothing
}

func (s *saying) begins(text string) bool {
	rest, ok := strings.CutPrefix(text, s.begin+" ")
	if !ok || rest == "" || s.follow == "*" {
		return ok
	}
	word, _, _ := strings.Cut(rest, " ")
	return among(word, s.follow)
}

// among reports whether a word is one of a row.
func among(word, row string) bool { return strings.Contains(" "+row+" ", " "+word+" ") }

// refused is what a clause means that says not to do something.
func refused(text string) sense {
	verb, rest, _ := strings.Cut(text, " ")
	next, after, _ := strings.Cut(rest, " ")
	switch {
	case among(verb, "stop wait pause hesitate ask give"):
		return onward
	case among(verb, "continue proceed go start begin carry keep resume"):
		if next == "" || among(next, "on ahead further anything any working coding implementing making changing going doing "+later) {
			return hold
		}
	case among(verb, "change touch edit modify do write implement make code fix build run execute create"):
		switch {
		case next == "it" || next == "this" || next == "that":
			if among(firstOf(after), "yet now until till before") {
				return hold
			}
		case next == "any":
			noun, end, _ := strings.Cut(after, " ")
			if among(noun, "code change changes file files edits more further work") && (end == "" || among(firstOf(end), later)) {
				return hold
			}
		case among(next, "anything more code"):
			if after == "" || among(firstOf(after), later) {
				return hold
			}
		case among(next, "yet now"):
			return hold
		}
	}
	return nothing
}

// limited is what a clause means that says what alone is to be done.
func limited(text string) sense {
	word, rest, _ := strings.Cut(text, " ")
	switch {
	case inWords.has(word), among(word, "answer"):
		return hold
	case word == "do" && firstOf(rest) != "not", isVerb(word) && !among(word, "use keep include have set try make see assume consider") || among(word, "step steps todo task item part mach mache fais haz"):
		return limit
	case among(word, "the this that") && (strings.Contains(" "+rest, " step") || among(firstOf(rest), "first second third last next")), among(word, "one") && rest != "":
		return limit
	}
	return nothing
}

func firstOf(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}
