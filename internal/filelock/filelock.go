// Package filelock locks open files against other processes. A lock ends with
// the file, so one whose process was killed holds nobody up.
package filelock
