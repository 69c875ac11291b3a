package nudge

// An Analysis is how much work a prompt asks for, and why that is believed.
type Analysis struct {
	Score   float64  // 0 to 1; see Settings.Threshold
	Reasons []string // for people: "4 list items", "sequence words: first, then"
	Steps   []string // the steps that could be made out, in their order, at most MaxSteps
	// Ordered says that the prompt has words of a sequence. Consecutive prompts
	// that have them are one piece of work told bit by bit.
	Ordered bool
}

// MaxSteps are kept of a prompt.
const MaxSteps = 20

// MaxPrompt is how many bytes of a prompt are looked at, the first ones: what
// comes later are files and logs.
const MaxPrompt = 64 << 10

// Analyze estimates how much work a prompt asks for.
func Analyze(prompt string) Analysis { return Analysis{} }
