// Package prose reads what people and agents write in a session.
//
//	Analyze   how much work a prompt asks for, in pieces that could be forgotten
//	IntentOf  what a prompt means for the plan: work, a question, stop
//	Asks      whether an agent's last words ask its user for something
//	Blocked   whether they say that something keeps the agent from going on
//
// It works by rules and words, in time proportional to the text, without a
// model. It only reads: package nudge decides what follows from the answers.
package prose
