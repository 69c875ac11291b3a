// Package uptime tells which run of the machine this is, and for how long it lasts,
// sleep included. Nobody can set that clock, unlike the one on the wall.
//
//	run := uptime.Boot()     // differs after each start of the machine; empty: unknown
//	since := uptime.Since()  // counts on while the machine sleeps
package uptime
