// Package text shapes text to be shown: [Line] and [Lines] make text from outside
// harmless, [Clip] shortens it, [Nearest] guesses a word that was mistyped, and
// durations, ages and counts are written as people write them.
//
// It knows nothing of tasks and imports only the standard library, because
// packages that other programs embed use it.
package text
