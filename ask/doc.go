// Package ask is what a program can ask of a board: questions as data, and their
// answers as read models, each from one snapshot.
package ask
