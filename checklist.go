package pawl

import "encoding/json"

// ParseChecks reads the checks of a task from JSON: what [ParseRules] reads, without
// labels, or one line alone.
func ParseChecks(text []byte) ([]Check, error) {
	var line string
	if json.Unmarshal(text, &line) == nil {
		c, err := ParseCheck(line)
		return []Check{c}, err
	}
	rules, err := ParseRules(text)
	if err != nil {
		return nil, err
	}
	checks := make([]Check, len(rules))
	for i := range rules {
		if checks[i] = rules[i].Check; len(rules[i].Labels) > 0 {
			return nil, invalid("[%d]: a check of a task has no labels: it is for this task", i)
		}
	}
	return checks, nil
}
