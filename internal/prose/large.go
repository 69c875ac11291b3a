package prose

import "strings"

// largest looks whether a verb asks for a large piece of work: something new
// that has many parts (build a shop), something through all of the code
// (everywhere in the app), or a move of one thing to another (rewrite it in
// Rust).
func (f *findings) largest(s phrase, verb int) {
	large := largeness(s, verb)
	if large <= f.large {
		return
	}
	end := verb + 1
	for end < len(s) && (s[end-1].stop == 0 || s[end-1].stop == ',') {
		end++
	}
	f.large, f.what = large, span{s[verb].at.from, s[end-1].at.to}
}

func largeness(s phrase, verb int) float64 {
	return max(made(s, verb), manifold(s, verb), turned(s, verb), goal(s, verb))
}

// turned is how surely a thing is turned into another one, or taken apart,
// whatever the verb is: pull billing out into its own service, get it into
// terraform.
func turned(s phrase, verb int) float64 {
	if smallThing(s, verb+1) {
		return 0
	}
	for i := verb + 1; i < len(s) && s[i-1].stop == 0; i++ {
		if s[i].word != "into" {
			continue
		}
		for k := i + 1; k < len(s) && k < i+6 && s[k-1].stop == 0; k++ {
			switch s[k].word {
			case "services", "modules", "packages", "components", "repos", "libraries", "package", "service", "library", "module", "app", "plugin":
				return sureThing
			}
			if techWord(s[k].word) {
				return sureThing
			}
		}
	}
	return 0
}

// goal is how surely a number is to be reached by work that nobody has named:
// get the coverage to 90%.
func goal(s phrase, verb int) float64 {
	switch s[verb].word {
	case "get", "bring", "raise", "increase", "push", "improve", "test", "reach":
	default:
		return 0
	}
	for i := verb + 1; i+1 < len(s) && s[i].stop == 0; i++ {
		switch s[i].word {
		case "to", "over", "above":
			if n := digits(s[i+1].word); n > 0 && n < 3 && n == len(strings.TrimRight(s[i+1].word, "%+")) && n < len(s[i+1].word) || n == 2 && i+2 < len(s) && s[i+2].word == "percent" {
				return sureThing
			}
		}
	}
	return 0
}

// made is largeness by what a verb makes or moves.
func made(s phrase, verb int) float64 {
	word := s[verb].word
	makes, moves := maker(word), mover(word)
	if !makes && !moves || smallThing(s, verb+1) || word == "make" && verb+1 < len(s) && s[verb+1].word == "sure" {
		return 0
	}
	var (
		head      = true // within the words before the first preposition: what the verb is done to
		thing     = 0.0  // how large that is
		whole     = 0.0  // how large the largest thing is that is named there
		place     = false
		target    = 0.0 // how large the largest thing after that is
		scale     = false
		from, to  = false, false
		parts     = 0
		pair      = false // a feature of two words
		tech      = false // what it is turned into is another technology
		definite  = false
		described = false // "with …", "including …", ": …"
	)
	for i := verb + 1; i < len(s); i++ {
		w := s[i].word
		if i > verb+1 && !described && clauseStart(s, i) && requestAt(s, i).verb >= 0 {
			break
		}
		scale = scale || scaleWord(w)
		size := thingSize(w)
		if i > verb+1 {
			if n := featureOf(s[i-1], s[i]); n > 0 {
				size, thing, pair = n, max(thing, n), true
			}
		}
		if size > 0 && head {
			whole = max(whole, size)
			if scale || featureWord(w) || article(s[i-1].word) || i+1 == len(s) || s[i].stop != 0 || preposition(s[i+1].word) || conjunction(s[i+1].word) || scaleWord(s[i+1].word) || filler(s[i+1].word) {
				thing = max(thing, size)
			}
		} else if size > 0 {
			place = true
			target = max(target, size)
		}
		tech = tech || to && techWord(w)
		switch w {
		case "the", "this", "der", "die", "das", "den", "le", "la", "el":
			definite = definite || head
		case "from", "von", "de":
			from = from || i+1 < len(s) && !isDigit(s[i+1].word[0])
		case "to", "in", "into", "on", "auf", "zu", "nach", "vers", "en", "a", "à":
			to = to || i > verb+1
		case "with", "including", "where", "mit", "avec", "con", "include", "has", "that", "so":
			described = described || i > verb+1
		}
		if i > verb+1 && preposition(w) {
			head = false
		}
		if s[i].stop == ':' {
			described, head = true, false
		}
		if described && (s[i].stop == ',' || conjunction(w)) {
			parts++
		}
	}
	large := 0.0
	if makes {
		large = thing
		if definite && !scale && !pair {
			large /= 3 // build the app: it is there already
		}
	}
	if moves {
		moved := 0.0
		if from && to && (whole > 0 || strongMover(word)) {
			moved += 0.3
		}
		if to && (whole >= bigThing || whole > 0 && strongMover(word)) {
			moved += 0.3
		}
		if to && min(whole, target) >= bigThing {
			moved += 0.3
		}
		if strongMover(word) && (whole > 0 || place || scale) {
			moved += 0.3
		}
		if from && to && whole == 0 && word != "convert" && strongMover(word) {
			moved += 0.3
		}
		if scale && place {
			moved += 0.3
		}
		if to && tech {
			moved = max(moved, bigThing)
		}
		large = max(large, moved)
	}
	if scale && (large > 0 || place) {
		large += 0.25
	}
	if large > 0 {
		large += 0.08 * float64(min(parts, 4))
		if described {
			large += 0.08
		}
	}
	return min(large, 0.9)
}

// article says that a word stands before a noun that its adjectives follow.
func article(word string) bool {
	switch word {
	case "un", "una", "une", "el", "la", "le":
		return true
	}
	return false
}

// The sizes of things.
const (
	bigThing  = 0.58 // a product, or what goes through all of its layers
	sureThing = 0.62 // work that is large whatever it is done to
	midThing  = 0.32 // what has some parts
)

// featureWord says that a word makes a piece of work large wherever it stands
// in the name of the thing.
func featureWord(word string) bool {
	switch word {
	case "monorepo", "2fa", "mfa", "two-factor", "multi-factor", "full-text", "audit-trails", "multilingual", "mehrsprachig", "mandantenfähig", "multilingue", "multi-language", "roles", "permissions", "plugin-system", "design-system", "notification-system", "audit-log", "audit-trail", "audit-logging", "single-sign-on", "push-notifications", "gdpr", "dsgvo", "rgpd", "opentelemetry", "storefront", "refonte", "onboarding", "oauth", "oauth2", "sso", "saml", "payments", "subscriptions", "rbac", "i18n", "internationalization", "localization", "multi-tenancy", "observability", "collaboration", "role-based", "microservices",
		"realtime", "real-time", "collaborative", "multiplayer", "distributed", "offline", "offline-first", "multi-tenant", "multitenant", "end-to-end":
		return true
	}
	return false
}

// techWord says that a word names what whole programs are written in or kept on:
// to turn one thing into it is a large piece of work.
func techWord(word string) bool {
	switch word {
	case "rust", "go", "golang", "python", "typescript", "ts", "java", "kotlin", "swift", "c++", "c#", "elixir", "ruby", "php", "react", "vue", "svelte", "angular", "nextjs", "next.js", "django", "rails", "laravel", "spring", "flutter", "postgres", "postgresql", "mysql", "mongodb", "sqlite", "graphql", "grpc", "kubernetes", "k8s", "terraform", "aws", "gcp", "azure", "fly", "vercel", "bazel", "monorepo", "microservices", "zustand", "tailwind", "webassembly", "wasm":
		return true
	}
	return false
}

// scaleWord says that a word makes a piece of work reach far.
func scaleWord(word string) bool {
	switch word {
	case "whole", "entire", "complete", "completely", "full", "fully", "all", "every", "everywhere", "everything", "scratch", "end-to-end", "e2e", "across", "throughout",
		"gesamte", "gesamten", "ganze", "ganzen", "komplette", "kompletten", "komplett", "komplettes", "vollständige", "vollständigen", "überall", "alle",
		"complète", "complet", "entière", "entier", "toute", "tout", "toutes", "tous", "partout", "zéro",
		"tudo", "inteiro", "inteira", "tutto", "tutta", "tutti", "intero", "всё", "все", "весь", "всю", "целиком", "полностью",
		"completa", "completo", "entera", "entero", "toda", "todo", "todas", "todos", "cero":
		return true
	}
	return false
}

// thingSize is how large a thing is that one can ask for, 0 for most of them.
func thingSize(word string) float64 {
	if featureWord(word) {
		return bigThing
	}
	if i := strings.LastIndexByte(word, '-'); i > 0 && i < len(word)-3 {
		if size := thingSize(word[i+1:]); size > 0 {
			return size
		}
	}
	switch word {
	case "app", "apps", "application", "applications", "website", "site", "webapp", "platform", "system", "marketplace", "shop", "webshop", "dashboard", "compiler", "interpreter",
		"game", "portal", "saas", "product", "crm", "cms", "erp", "blog", "backend", "frontend", "back-end", "front-end", "monolith", "microservices", "codebase", "engine", "pipeline", "pipelines",
		"suite", "framework", "sdk", "sdks", "network", "simulator", "emulator", "mvp", "clone", "wiki", "forum", "store", "infrastructure", "project", "libraries",
		"anwendung", "webanwendung", "plattform", "onlineshop", "webseite", "spiel", "projekt", "webshops", "laden",
		"jeu", "plateforme", "système", "boutique", "projet", "logiciel",
		"бота", "бот", "приложение", "сайт", "магазин", "систему", "система", "платформу", "игру",
		"aplicación", "plataforma", "sistema", "tienda", "juego", "proyecto", "sitio":
		return bigThing
	case "payment", "billing", "notifications", "permissions",
		"monitoring", "webhooks", "checkout", "quotas", "sync", "synchronization", "authentication", "authorization", "search", "editing",
		"kubernetes", "k8s", "graphql", "deployment", "microservice", "service", "services", "api", "apis", "database", "repository", "repo", "workflows", "control", "log", "tool", "bot", "cli", "server", "daemon", "library",
		"admin", "tests", "page", "screen", "wizard", "components", "authentifizierung", "datenbank", "werkzeug", "suche", "authentification", "outil", "autenticación", "herramienta", "backends", "spreadsheet", "editor", "tracker", "planner", "manager", "extension", "plugin":
		return midThing
	}
	return 0
}
