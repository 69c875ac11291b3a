package nudge

// MostBytes is how long a nudge is at most, in bytes of English: a continuation
// that names eight todos of full length is the longest. Recovery has a budget of its
// own, Settings.ModelTokens. A test makes the longest ones.
const MostBytes = 2_000
