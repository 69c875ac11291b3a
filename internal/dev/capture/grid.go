package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/show/term"
)

// A grid is a screen, row by row.
type grid [][]glyph

// A glyph is what stands in one place. It takes one or two columns.
type glyph struct {
	text  string
	width int
	style style
}

// A style is how it looks. Empty colours are the terminal's own.
type style struct {
	text, ground               string
	bold, dim, italic, reverse bool
	underline                  bool
}

// Bounds of a drawn screen.
const (
	mostColumns = 300
	mostRows    = 100
)

// parse reads a screen as tmux tells it: text with the sequences that choose
// colours, and no others.
func parse(text string) (grid, error) {
	var g grid
	var now style
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if len(g) == mostRows {
			return nil, fmt.Errorf("more than %d rows", mostRows)
		}
		var row []glyph
		columns := 0
		for line != "" {
			if after, ok := strings.CutPrefix(line, "\x1b["); ok {
				codes, rest, ok := strings.Cut(after, "m")
				if !ok {
					return nil, fmt.Errorf("row %d: no end of %q", len(g)+1, after)
				}
				if err := now.change(codes); err != nil {
					return nil, fmt.Errorf("row %d: %w", len(g)+1, err)
				}
				line = rest
				continue
			}
			r, size := utf8.DecodeRuneInString(line)
			char := line[:size]
			line = line[size:]
			if unicode.IsControl(r) || r == utf8.RuneError && size == 1 || r&0xfffe == 0xfffe {
				return nil, fmt.Errorf("row %d: %q does not belong on a screen", len(g)+1, char)
			}
			width := term.Width(char)
			if width == 0 {
				if len(row) > 0 {
					row[len(row)-1].text += char
				}
				continue
			}
			if columns += width; columns > mostColumns {
				return nil, fmt.Errorf("row %d has more than %d columns", len(g)+1, mostColumns)
			}
			row = append(row, glyph{char, width, now})
		}
		g = append(g, row)
	}
	return g, nil
}

// change follows the numbers of one sequence.
func (s *style) change(codes string) error {
	numbers := strings.Split(codes, ";")
	for i := 0; i < len(numbers); i++ {
		switch numbers[i] {
		case "", "0":
			*s = style{}
		case "1":
			s.bold = true
		case "2":
			s.dim = true
		case "3":
			s.italic = true
		case "4":
			s.underline = true
		case "7":
			s.reverse = true
		case "22":
			s.bold, s.dim = false, false
		case "23":
			s.italic = false
		case "24":
			s.underline = false
		case "27":
			s.reverse = false
		case "39":
			s.text = ""
		case "49":
			s.ground = ""
		case "38", "48":
			if len(numbers) < i+5 || numbers[i+1] != "2" {
				return fmt.Errorf("%q is not a colour in red, green and blue", codes)
			}
			colour := "#"
			for _, part := range numbers[i+2 : i+5] {
				n, err := strconv.ParseUint(part, 10, 8)
				if err != nil {
					return fmt.Errorf("%q is not a colour in red, green and blue", codes)
				}
				colour += fmt.Sprintf("%02x", n)
			}
			if numbers[i] == "38" {
				s.text = colour
			} else {
				s.ground = colour
			}
			i += 4
		case "31", "32", "33", "34", "35", "36":
			s.text = numbers[i] // a colour of the terminal, which is the theme's
		default:
			return fmt.Errorf("nobody knows what %q looks like", codes)
		}
	}
	return nil
}
