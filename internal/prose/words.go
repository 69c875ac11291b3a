package prose

import "strings"

// The words of the analyzer, of all languages that are written with spaces: a
// prompt may mix them, and few of them mean another thing elsewhere. They are
// switches and no maps, because a hook is a new process each time, and a map
// would be built in each.

// isVerb says that a word is a verb that asks for work, or for words.
func isVerb(word string) bool {
	switch word {
	case "keep", "look", "see", "leave", "stop", "note", "take", "get", "give", "put", "try", "wait", "stick", "focus", "start", "begin", "follow", "have", "prefer", "consider", "assume",
		"tell", "nimm", "lass", "schau", "garde", "laisse", "regarde", "deja", "mira", "fais", "haz", "mach":
		return true
	case "use", "include", "utilise", "usa", "utiliza", "nutze", "explain", "describe", "outline", "summarize", "summarise", "show", "find", "list", "compare", "identify", "recommend", "suggest", "propose", "read", "check", "search", "print", "analyze", "analyse",
		"study", "inspect", "think", "erkläre", "zeig", "zeige", "prüf", "prüfe", "explique", "montre", "vérifie", "vérifier", "explica", "muestra", "revisa", "comprueba", "dime", "dis-moi", "sag":
		return true
	case "add", "implement", "create", "write", "rewrite", "update", "upgrade", "fix", "refactor", "remove", "delete", "rename", "move", "extract", "split", "merge", "migrate", "convert", "port", "replace",
		"introduce", "integrate", "install", "configure", "set", "setup", "enable", "disable", "make", "build", "rebuild", "generate", "regenerate", "run", "rerun", "execute", "deploy", "redeploy", "publish", "ship", "release",
		"tag", "push", "pull", "rebase", "commit", "squash", "open", "close", "review", "verify", "validate", "ensure", "test", "retest", "benchmark", "profile", "measure", "optimize", "optimise", "improve",
		"simplify", "clean", "cleanup", "tidy", "reorganize", "reorganise", "restructure", "sort", "format", "lint", "document", "investigate", "research", "evaluate", "draft", "design", "redesign", "plan", "sketch",
		"prototype", "mock", "stub", "wire", "hook", "connect", "expose", "export", "import", "parse", "render", "hide", "display", "support", "handle", "cover", "catch", "throw", "return", "log", "track",
		"monitor", "send", "post", "fetch", "load", "store", "save", "cache", "index", "seed", "backfill", "restore", "rotate", "encrypt", "hash", "sign", "translate", "localize", "localise", "internationalize",
		"style", "center", "align", "resize", "bump", "pin", "drop", "revert", "undo", "reset", "turn", "switch", "change", "modify", "adjust", "adapt", "tweak", "rework", "redo", "reduce", "increase", "raise",
		"lower", "limit", "restrict", "allow", "deny", "block", "bound", "collapse", "inject", "wrap", "unwrap", "inline", "hoist", "cherry-pick", "backport", "archive", "scaffold", "bootstrap", "initialize",
		"init", "register", "subscribe", "redirect", "route", "paginate", "filter", "group", "aggregate", "compute", "calculate", "count", "output", "apply", "bring", "record", "link", "attach", "embed",
		"provide", "prepare", "polish", "finish", "complete", "restart", "launch", "host", "dockerize", "containerize", "automate", "schedule", "parallelize", "parallelise", "debug", "trace", "reproduce",
		"bisect", "resolve", "address", "sync", "map", "model", "announce", "mail", "email", "notify", "clone", "fork", "download", "upload", "copy", "unify", "consolidate", "deduplicate", "dedupe", "deprecate",
		"decouple", "modularize", "annotate", "comment", "swap", "break", "separate", "isolate", "expand", "extend", "enforce", "protect", "secure", "harden", "audit", "scan", "patch", "persist", "serialize",
		"stream", "process", "develop", "transform", "modernize", "tear", "strip", "rip", "throttle", "debounce", "memoize", "virtualize", "instrument", "alert", "report", "cut", "detect", "collect",
		"crop", "compress", "minify", "bundle", "package", "vendor", "transfer", "invite", "normalize", "sanitize", "escape", "retry", "queue", "batch", "shard", "partition", "provision", "rollback", "roll",
		"flag", "gate", "work", "pick", "promote", "assign", "define", "specify", "declare", "name", "type", "tune", "scale", "shrink", "grow", "unit-test", "smoke-test", "e2e-test", "double-check", "recheck", "post-process",
		"toggle", "figure", "do", "animate", "highlight", "truncate", "shorten", "duplicate", "reuse", "share", "eliminate", "prune", "purge", "flush", "kill", "spin", "stand", "plug", "pass", "accept", "skip", "retire",
		"match", "organize", "organise", "rank", "crawl", "scrape", "encode", "decode", "mount", "guard", "trim", "capture", "intercept", "emit", "dispatch", "broadcast", "authenticate", "authorize", "simulate", "visualize",
		"plot", "chart", "draw", "label", "classify", "train", "fine-tune", "redact", "anonymize", "trigger", "call", "populate", "preload", "prefetch", "autocomplete", "warn", "reorder", "flatten", "combine", "continue", "join", "relax", "tighten":
		return true
	}
	return word != "" && (word[0] >= 0x80 || isLetter(word[0])) && foreignVerb(word)
}

// nounToo says that a verb is a noun as often.
func nounToo(word string) bool {
	switch word {
	case "test", "run", "build", "change", "log", "release", "document", "list", "design", "support", "report", "export", "import", "filter", "cache", "tag", "commit", "format", "sort", "search", "show",
		"display", "check", "look", "plan", "profile", "benchmark", "index", "store", "post", "limit", "block", "style", "model", "map", "mail", "email", "name", "type", "comment", "note", "package", "process",
		"stream", "patch", "queue", "batch", "count", "output", "load", "link", "trace", "record", "schedule", "hook", "host", "fork", "clone", "copy", "mock", "stub", "review", "work", "alert", "hash", "sync",
		"feel", "route", "group", "state", "cut", "flag", "gate", "scale", "share", "start", "stop", "research", "audit", "seed", "address", "return", "lower", "complete", "clean", "set", "open", "close", "pin", "sign", "track",
		"cover", "stack", "setup", "cleanup", "rollback", "bundle", "sketch", "draft", "prototype", "print", "read", "study", "focus", "pass", "secure", "separate", "upgrade", "update", "fix", "drop", "upload", "download", "transfer", "retry", "find", "light", "raise", "duplicate", "match", "rank", "guard", "plot", "chart", "label", "call", "train", "trigger", "join", "mount":
		return true
	}
	return false
}

// determiner says that a word begins what a verb is done to, or goes with the
// verb: test it, clean up.
func determiner(word string) bool {
	switch word {
	case "the", "a", "an", "it", "its", "them", "this", "that", "these", "those", "all", "everything", "my", "our", "your", "their", "some", "each", "every", "any", "up", "out", "on", "off", "down", "both",
		"whatever", "whether", "what", "how", "why", "if", "for", "to", "through", "over", "again", "into", "only", "more", "new", "old", "one", "two", "three", "at", "against", "everyone", "me", "us", "unit", "e2e", "integration", "unused", "tests", "docs", "documentation", "which", "from":
		return true
	}
	return len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss")
}

// filler says that a word may stand before a verb without changing it.
func filler(word string) bool {
	switch word {
	case "also", "now", "just", "so", "basically", "ok", "okay", "and", "or", "maybe", "perhaps", "kindly", "hi", "hello", "hey", "yes", "yeah", "alright", "right", "well", "simply", "quickly", "actually", "additionally", "furthermore", "besides",
		"plus", "but", "thanks", "too", "still", "instead", "there", "to", "go", "ahead", "again", "all", "once", "immediately", "already", "help",
		"auch", "noch", "mal", "jetzt", "und", "außerdem", "gerne", "hallo", "ja", "nun", "einfach", "als", "zum",
		"aussi", "et", "maintenant", "alors", "bonjour", "oui", "encore",
		"também", "agora", "ainda", "и", "ещё", "еще", "также", "теперь", "привет", "también", "además", "ahora", "y", "e", "hola", "sí", "por":
		return true
	}
	return false
}

// polite says that a word asks for something whatever follows.
func polite(word string) bool {
	switch word {
	case "please", "pls", "plz", "bitte", "svp", "favor", "todo", "пожалуйста":
		return true
	}
	return false
}

// negative says that a word asks not to do what follows.
func negative(word string) bool {
	switch word {
	case "don't", "dont", "don’t", "never", "not", "no", "without", "avoid", "nicht", "kein", "keine", "keinen", "nichts", "nie", "não", "nem", "не", "без", "non", "ne", "n'y", "sans", "nunca", "sin", "do":
		return true
	}
	return false
}

// sequenceWord says that a word puts what follows at its place in a sequence.
func sequenceWord(word string) bool {
	switch word {
	case "first", "firstly", "second", "secondly", "third", "thirdly", "then", "next", "afterwards", "afterward", "finally", "lastly", "subsequently",
		"zuerst", "zunächst", "dann", "danach", "anschließend", "schließlich", "zuletzt", "abschließend", "erstens", "zweitens", "drittens", "erstes", "nächstes", "schluss",
		"d'abord", "d’abord", "premièrement", "ensuite", "puis", "enfin", "finalement", "deuxièmement",
		"primeiro", "depois", "сначала", "потом", "затем", "primero", "luego", "después", "entonces", "finalmente", "último", "segundo":
		return true
	}
	return false
}

// needs says that a word asks for what follows it, be it a verb or a thing.
func needs(word string) bool {
	switch word {
	case "need", "needs", "needed", "want", "like", "brauche", "brauchen", "möchte", "möchten", "wollen", "necesito", "quiero", "quero", "veux", "faut":
		return true
	}
	return false
}

// subordinate says that a word begins a clause that tells when, if or why.
func subordinate(word string) bool {
	switch word {
	case "when", "if", "once", "before", "after", "while", "since", "because", "although", "though", "whenever", "until", "unless", "as", "where", "which", "who", "whose",
		"wenn", "falls", "sobald", "nachdem", "bevor", "weil", "da", "dass", "ob", "während", "quand", "lorsque", "si", "après", "avant", "parce", "когда", "если", "потому", "cuando", "antes", "mientras", "porque", "desde", "seit", "depuis":
		return true
	}
	return false
}

// conjunction says that a word joins two clauses, or two things.
func conjunction(word string) bool {
	switch word {
	case "and", "plus", "und", "et", "y", "e", "sowie", "и", "&", "+":
		return true
	}
	return false
}

// modal says that a word makes a verb after it tell what is possible or wanted.
func modal(word string) bool {
	switch word {
	case "can", "could", "will", "would", "should", "must", "may", "might", "shall", "to", "kann", "können", "soll", "sollen", "sollte", "sollten", "müssen", "muss", "peut", "doit", "puede", "debe":
		return true
	}
	return false
}

// somebody reports whether a word names one who does something: the words after
// it tell, and ask for nothing.
func somebody(word string) bool {
	switch word {
	case "i", "we", "they", "he", "she", "users", "people", "customers", "everybody", "someone", "somebody", "nobody", "i've", "we've", "they've", "i'm", "we're", "they're", "you",
		"ich", "wir", "er", "sie", "man", "je", "j'ai", "nous", "il", "elle", "ils", "elles", "yo", "nosotros", "él", "ella", "ellos", "eu", "nós", "ele", "ela", "eles", "я", "мы", "он", "она", "они", "пользователи":
		return true
	}
	return false
}

// preposition says that a word ends the words for a thing.
func preposition(word string) bool {
	switch word {
	case "to", "in", "for", "of", "on", "with", "that", "which", "so", "from", "into", "by", "when", "where", "because", "if", "using", "via", "at", "as", "without", "including", "such", "between", "under", "over",
		"through", "across", "like", "about", "who", "whose", "while", "before", "after", "around", "per", "is", "are", "has", "have", "should", "must", "out", "end", "called", "named",
		"für", "mit", "von", "aus", "auf", "zu", "zur", "zum", "bei", "über", "damit", "ohne", "der", "pour", "avec", "de", "dans", "sur", "qui", "du", "des", "para", "con", "en", "que", "del", "por", "al":
		return true
	}
	return false
}

// gerund says that a word is a verb as it follows "start by".
func gerund(word string) bool {
	stem, ok := strings.CutSuffix(word, "ing")
	return ok && len(stem) > 2 && (isVerb(word) || isVerb(stem+"e") || len(stem) > 3 && stem[len(stem)-1] == stem[len(stem)-2] && isVerb(stem[:len(stem)-1]))
}

// telling says that a verb asks for words and not for work.
func telling(verb string) bool {
	switch verb {
	case "explain", "describe", "summarize", "summarise", "tell", "compare", "recommend", "suggest", "walk", "show", "list", "study", "think", "erkläre", "explique", "explica", "dime", "dis-moi", "sag":
		return true
	}
	return false
}

// wantWord says that a word makes a statement one of how something is to be.
func wantWord(word string) bool {
	switch word {
	case "want", "wants", "need", "needs", "should", "must", "goal", "criteria", "requirement", "requirements", "feature", "let's", "lets", "shall", "i'd", "we'd",
		"soll", "sollen", "sollte", "muss", "müssen", "brauchen", "brauche", "möchte", "möchten", "wollen",
		"doit", "doivent", "faut", "besoin", "veut", "veux", "voudrais", "quiero", "queremos", "necesito", "necesitamos", "debe", "deben", "puedan":
		return true
	}
	return false
}

// pastWord says that a word tells of what was.
func pastWord(word string) bool {
	switch word {
	case "was", "were", "did", "had", "been", "went", "got", "came", "told", "said", "asked", "found", "tried", "i've", "we've", "i'm", "think", "guess", "suppose", "believe", "wonder", "wondering", "understand", "yesterday", "thanks", "thank",
		"war", "waren", "hatte", "hatten", "wurde", "wurden", "était", "étaient", "fue", "era", "estaba":
		return true
	}
	return false
}
