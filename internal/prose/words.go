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
		"tell", "nimm", "lass", "schau", "garde", "laisse", "regarde", "deja", "mira", "fais", "haz", "mach",
		"use", "include", "utilise", "usa", "utiliza", "nutze", "explain", "describe", "outline", "summarize", "summarise", "show", "find", "list", "compare", "identify", "recommend", "suggest", "propose", "read", "check", "search", "print", "analyze", "analyse",
		"study", "inspect", "think", "erkläre", "zeig", "zeige", "prüf", "prüfe", "explique", "montre", "vérifie", "vérifier", "explica", "muestra", "revisa", "comprueba", "dime", "dis-moi", "sag",
		"add", "implement", "create", "write", "rewrite", "update", "upgrade", "fix", "refactor", "remove", "delete", "rename", "move", "extract", "split", "merge", "migrate", "convert", "port", "replace",
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

// determiner says that a word begins what a verb is done to, or goes with the
// verb: test it, clean up.
func determiner(word string) bool {
	return particle.has(word) || len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss")
}

// gerund says that a word is a verb as it follows "start by".
func gerund(word string) bool {
	stem, ok := strings.CutSuffix(word, "ing")
	return ok && len(stem) > 2 && (isVerb(word) || isVerb(stem+"e") || len(stem) > 3 && stem[len(stem)-1] == stem[len(stem)-2] && isVerb(stem[:len(stem)-1]))
}
