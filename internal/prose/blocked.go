package prose

import "strings"

// Blocked reports whether an agent's last words say that something keeps it from
// going on: those of the last paragraph, or of the one before an aside. A note
// asks for such words, so that it is not to be answered by another one.
func Blocked(text string) bool {
	blocks := paragraphs(text)
	for i := len(blocks) - 1; i >= max(0, len(blocks)-2); i-- {
		for _, run := range blocks[i].runs {
			for _, one := range sentences(strings.Join(run, " ")) {
				words := strings.ReplaceAll(plain(one.text), "’", "'")
				if containsAny(words, hindered...) && !containsAny(words, unhindered...) {
					return true
				}
			}
		}
	}
	return false
}

// hindered says that somebody cannot go on. A space at an end is the end of a word.
var hindered = []string{
	" i am blocked ", " i'm blocked ", " am still blocked ", " i remain blocked ", " is blocked on ", " is blocked by ", " are blocked on ", " are blocked by ", " blocked until ", " i am stuck ", " i'm stuck ",
	" i cannot ", " i can't ", " i can not ", " cannot be ", " can't be ", " cannot continue ", " cannot proceed ", " cannot go on ", " unable to ", " not able to ", " no way to ", " not possible ", " impossible to ",
	" i need the ", " i need a ", " i need an ", " i need access", " i need someone ", " i need somebody ", " i still need ", " i would need ", " i'd need ", " waiting for ", " waiting on ", " wait for ", " wait until ", " have to wait ",
	" i do not have access", " i don't have access", " i have no access", " i lack ", " i don't have the ", " i do not have the ", " i don't have permission", " i do not have permission",
	"无法", "不能继续", "没法", "被阻塞", "卡住", "需要等", "在等待", "等待", "我需要", "没有权限",
	"できません", "できない", "進められ", "待って", "待ち", "ブロックされ", "が必要です", "権限がありません",
	" ich bin blockiert ", " blockiert ", " ich kann nicht ", " kann ich nicht ", " ich kann ohne ", " nicht möglich ", " nicht in der lage ", " ich brauche ", " ich benötige ", " ich warte auf ", " warte auf ", " komme nicht weiter ",
	" je suis bloqué", " bloqué par ", " je ne peux pas ", " je ne peux plus ", " impossible de ", " j'ai besoin ", " il me faut ", " j'attends ", " en attente d", " incapable de ",
	" estoy bloquead", " bloqueado por ", " no puedo ", " no es posible ", " necesito ", " me falta ", " estoy esperando ", " espero a ", " a la espera ",
}

// unhindered takes that back.
var unhindered = []string{
	" cannot see why ", " can't see why ", " not blocked ", " no longer blocked ", " can't be right ", " cannot be right ", " no longer waiting ", " nothing is blocked ", " cannot find any ", " can't find any ", " no need to wait ", " without waiting for ",
	"不再等待", "无法再现", "もう待",
}
