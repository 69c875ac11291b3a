package agent

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// limits are texts by which providers and programs say that they refuse requests
// now, in small letters. Numbers of HTTP stand alone only behind a word that says so.
var limits = []string{
	"usage limit", "usage_limit", "session limit", "weekly limit", "hit your limit", "rate limit", "rate_limit", "ratelimit", "too many requests", "overloaded", "resource_exhausted",
	"resource has been exhausted", "resource exhausted", "quota exceeded", "exceeded your current quota", "quota will reset", "insufficient_quota", "out of extra usage",
	"server is at capacity", "model is at capacity", "exhausted your daily quota", "exhausted your capacity",
}

// forms are how a reason says when the limit ends.
type forms struct{ httpStatus, epoch, seconds, within, amount, clock *regexp.Regexp }

// limitForms are compiled when they are first asked for: each command would wait for
// them before main.
var limitForms = sync.OnceValue(func() *forms {
	return &forms{
		httpStatus: regexp.MustCompile(`(?i)\b(?:status(?: code)?|error|code|http|got status)"?[: =]+"?(?:429|529)\b|\((?:429|529)\)|\b(?:429|529) (?:too many|\{|overloaded)`),
		epoch:      regexp.MustCompile(`(?:\||"?resets?_?at"?[: ]+)(1[0-9]{9})(?:[0-9]{3})?\b`),
		seconds:    regexp.MustCompile(`(?i)(?:resets_in_seconds"?|retry[- ]after"?|retrydelay"?)[: ]+"?([0-9]{1,7})(?:\.[0-9]+)?s?\b`),
		within:     regexp.MustCompile(`(?i)(?:try again in|retry in|reset(?:s)?(?: after| in)|retry after) +((?:about )?(?:[0-9]+(?:\.[0-9]+)? *[a-z]+[ ,]*(?:and )?)+)`),
		amount:     regexp.MustCompile(`(?i)([0-9]+(?:\.[0-9]+)?) *(milliseconds?|ms|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)`),
		clock:      regexp.MustCompile(`(?i)(?:try again at|resets?(?: at)?|resets? on)\s+(?:([A-Za-z]{3,9})\s+([0-9]{1,2})(?:st|nd|rd|th)?,?\s+(?:([0-9]{4}),?\s+)?(?:at\s+)?)?([0-9]{1,2})(?::([0-9]{2}))?\s*([ap])\.?m\.?(?:\s*\(([A-Za-z_]+(?:/[A-Za-z_+-]+)*)\))?`),
	}
})

// Limited reads the reason of a failure: whether the provider refuses requests now,
// and until when, or for how long, if it tells that. marks are texts of a program's own,
// in small letters.
//
//	Claude AI usage limit reached|1750708800
//	You've hit your session limit · resets 3:50pm (Asia/Tokyo)
//	You've hit your usage limit. … or try again in 5 days 22 hours 11 minutes.
func Limited(reason string, now time.Time, marks ...string) (limited bool, until time.Time, wait time.Duration) {
	reason = reason[max(0, len(reason)-maxReason):]
	small := strings.ToLower(reason)
	limited = slices.ContainsFunc(slices.Concat(limits, marks), func(mark string) bool { return strings.Contains(small, mark) })
	is := limitForms()
	if !limited && !is.httpStatus.MatchString(reason) {
		return false, time.Time{}, 0
	}
	if m := is.epoch.FindStringSubmatch(small); m != nil {
		n, _ := strconv.ParseInt(m[1], 10, 64)
		return true, Sane(time.Unix(n, 0), now), 0
	}
	if m := is.seconds.FindStringSubmatch(small); m != nil {
		n, _ := strconv.Atoi(m[1])
		return true, time.Time{}, min(time.Duration(n)*time.Second, longest)
	}
	if m := is.within.FindStringSubmatch(small); m != nil {
		for _, part := range is.amount.FindAllStringSubmatch(m[1], -1) {
			n, _ := strconv.ParseFloat(part[1], 64)
			wait += time.Duration(min(n, 1e6) * float64(unitOf(part[2])))
		}
		return true, time.Time{}, min(wait, longest)
	}
	if m := is.clock.FindStringSubmatch(reason); m != nil {
		return true, Sane(clockTime(m, now), now), 0
	}
	return true, time.Time{}, 0
}

const (
	maxReason = 16 << 10
	// longest bounds how long a text can have Pawl wait: longer than a week is none that a
	// provider tells, and an agent can print anything.
	longest = 8 * 24 * time.Hour
)

// Sane is a time that one can wait for; zero: it is past or too far.
func Sane(t, now time.Time) time.Time {
	if t.Before(now) || t.Sub(now) > longest {
		return time.Time{}
	}
	return t
}

func unitOf(word string) time.Duration {
	switch {
	case strings.HasPrefix(word, "ms"), strings.HasPrefix(word, "milli"):
		return time.Millisecond
	case word[0] == 'd':
		return 24 * time.Hour
	case word[0] == 'h':
		return time.Hour
	case word[0] == 'm':
		return time.Minute
	}
	return time.Second
}

// clockTime is a time of the day, with a day before it or the next one that comes.
func clockTime(m []string, now time.Time) time.Time {
	zone := now.Location()
	if m[7] != "" {
		if named, err := time.LoadLocation(m[7]); err == nil {
			zone = named
		}
	}
	here := now.In(zone)
	hour, _ := strconv.Atoi(m[4])
	minute, _ := strconv.Atoi("0" + m[5])
	if hour %= 12; strings.EqualFold(m[6], "p") {
		hour += 12
	}
	year, month, day := here.Date()
	if m[1] != "" {
		named, err := time.Parse("Jan", strings.ToUpper(m[1][:1])+strings.ToLower(m[1][1:3]))
		if err != nil {
			return time.Time{}
		}
		month = named.Month()
		day, _ = strconv.Atoi(m[2])
		if m[3] != "" {
			year, _ = strconv.Atoi(m[3])
		} else if month < here.Month()-6 {
			year++
		}
		return time.Date(year, month, day, hour, minute, 0, 0, zone)
	}
	at := time.Date(year, month, day, hour, minute, 0, 0, zone)
	if at.Before(now.Add(-time.Minute)) {
		at = at.AddDate(0, 0, 1)
	}
	return at
}
