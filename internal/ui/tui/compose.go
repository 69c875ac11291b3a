package tui

import "strings"

// firstMark is the first combining mark of Unicode.
const firstMark = '\u0300'

// composed is letters with the mark that follows them as one character, as
// Unicode composes them: sorted by mark, each letter before its composition.
var composed = [...]struct {
	mark  rune
	pairs string
}{
	{'\u0300', "AÀEÈIÌOÒUÙaàeèiìoòuùNǸnǹWẀwẁYỲyỳ"},
	{'\u0301', "AÁEÉIÍOÓUÚYÝaáeéiíoóuúyýCĆcćLĹlĺNŃnńRŔrŕSŚsśZŹzźGǴgǵKḰkḱMḾmḿPṔpṕWẂwẃ"},
	{'\u0302', "AÂEÊIÎOÔUÛaâeêiîoôuûCĈcĉGĜgĝHĤhĥJĴjĵSŜsŝWŴwŵYŶyŷZẐzẑ"},
	{'\u0303', "AÃNÑOÕaãnñoõIĨiĩUŨuũVṼvṽEẼeẽYỸyỹ"},
	{'\u0304', "AĀaāEĒeēIĪiīOŌoōUŪuūYȲyȳGḠgḡ"},
	{'\u0306', "AĂaăEĔeĕGĞgğIĬiĭOŎoŏUŬuŭ"},
	{'\u0307', "CĊcċEĖeėGĠgġIİZŻzżAȦaȧOȮoȯBḂbḃDḊdḋFḞfḟHḢhḣMṀmṁNṄnṅPṖpṗRṘrṙSṠsṡTṪtṫWẆwẇXẊxẋYẎyẏ"},
	{'\u0308', "AÄEËIÏOÖUÜaäeëiïoöuüyÿYŸHḦhḧWẄwẅXẌxẍtẗ"},
	{'\u0309', "AẢaảEẺeẻIỈiỉOỎoỏUỦuủYỶyỷ"},
	{'\u030a', "AÅaåUŮuůwẘyẙ"},
	{'\u030b', "OŐoőUŰuű"},
	{'\u030c', "CČcčDĎdďEĚeěLĽlľNŇnňRŘrřSŠsšTŤtťZŽzžAǍaǎIǏiǐOǑoǒUǓuǔGǦgǧKǨkǩjǰHȞhȟ"},
	{'\u030f', "AȀaȁEȄeȅIȈiȉOȌoȍRȐrȑUȔuȕ"},
	{'\u0311', "AȂaȃEȆeȇIȊiȋOȎoȏRȒrȓUȖuȗ"},
	{'\u031b', "OƠoơUƯuư"},
	{'\u0323', "BḄbḅDḌdḍHḤhḥKḲkḳLḶlḷMṂmṃNṆnṇRṚrṛSṢsṣTṬtṭVṾvṿWẈwẉZẒzẓAẠaạEẸeẹIỊiịOỌoọUỤuụYỴyỵ"},
	{'\u0324', "UṲuṳ"},
	{'\u0325', "AḀaḁ"},
	{'\u0326', "SȘsșTȚtț"},
	{'\u0327', "CÇcçGĢgģKĶkķLĻlļNŅnņRŖrŗSŞsşTŢtţEȨeȩDḐdḑHḨhḩ"},
	{'\u0328', "AĄaąEĘeęIĮiįUŲuųOǪoǫ"},
	{'\u032d', "DḒdḓEḘeḙLḼlḽNṊnṋTṰtṱUṶuṷ"},
	{'\u032e', "HḪhḫ"},
	{'\u0330', "EḚeḛIḬiḭUṴuṵ"},
	{'\u0331', "BḆbḇDḎdḏKḴkḵLḺlḻNṈnṉRṞrṟTṮtṯZẔzẕhẖ"},
}

// pairsOf returns what a mark composes; empty: nothing.
func pairsOf(mark rune) string {
	for _, c := range composed {
		if c.mark == mark {
			return c.pairs
		}
	}
	return ""
}

// compose replaces a letter and its first mark by one character, if one exists.
// The library prints ASCII letters alone and loses the marks after them; it keeps
// marks after other characters.
func compose(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= firstMark && pairsOf(r) != "" }) {
		return text // nearly always
	}
	var out []rune
	for _, r := range text {
		if last := len(out) - 1; last >= 0 {
			if one := partner(pairsOf(r), out[last]); one != 0 {
				out[last] = one
				continue
			}
		}
		out = append(out, r)
	}
	return string(out)
}

// partner is the second of the pair of which a character is the first; zero: of none.
func partner(pairs string, first rune) rune {
	found := false
	for i, r := range []rune(pairs) {
		if found {
			return r
		}
		found = i%2 == 0 && r == first
	}
	return 0
}
