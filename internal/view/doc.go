// Package view arranges what a board or a todo list holds for a screen: a graph
// with a place for each task, the part of a list that a panel has room for.
package view
