package prose

import "strings"

// foreignVerb says that a word is a German, French or Spanish verb that asks:
// the imperative, and in French and Spanish the infinitive and what follows
// "quiero que".
func foreignVerb(word string) bool {
	switch word {
	// German
	case "füge", "füg", "schreib", "schreibe", "schreibst", "aktualisiere", "aktualisier", "erstelle", "erstell", "bau", "baue", "korrigiere", "korrigier", "behebe", "beheb",
		"entferne", "entfern", "lösche", "lösch", "ersetze", "ersetz", "zieh", "ziehe", "räum", "räume", "stelle", "stell", "migriere", "implementiere", "entwickle", "teste",
		"dokumentiere", "veröffentliche", "benenne", "verschiebe", "teile", "trenne", "richte", "installiere", "konfiguriere", "ergänze", "ergänz", "übersetze", "optimiere",
		"refaktoriere", "refactore", "prüfst", "importierst", "exportierst", "führe", "führ", "starte", "setze", "setz", "ändere", "änder", "passe", "pass", "mergen", "deploye",
		"rolle", "sorge", "sorg", "importiere", "exportiere", "sichere", "portiere", "konvertiere", "programmiere", "überarbeite", "reduziere", "analysiere", "untersuche",
		"verwende", "baust", "erstellst", "löschst", "testest",
		"lies", "erweitere", "verbessere", "vereinfache", "integriere", "sortiere", "hol", "hole", "schick", "schicke", "öffne", "repariere", "fixe", "ordne", "generiere", "bereinige", "binde", "hänge", "kombiniere":
		return true
	// French
	case "ajoute", "ajoutez", "ajouter", "écris", "écrire", "écrivez", "mets", "mettre", "mettez", "corrige", "corriger", "corrigez", "supprime", "supprimer", "supprimez",
		"remplace", "remplacer", "remplacez", "crée", "créer", "créez", "extrais", "extraire", "utiliser", "traduis", "traduire", "publie", "publier", "déploie", "déployer",
		"migre", "migrer", "adapte", "adapter", "importe", "importer", "exporte", "exporter", "tester", "développe", "développer", "implémente", "implémenter", "documente",
		"documenter", "renomme", "renommer", "déplace", "déplacer", "refactorise", "refactoriser", "configure", "configurer", "installe", "installer", "envoyer", "envoie",
		"lance", "lancer", "complète", "compléter", "nettoie", "nettoyer", "optimise", "optimiser", "réécris", "réécrire", "convertis", "construis", "prépare", "préparer",
		"rédige", "rédiger", "vérifie", "active", "désactive", "divise", "fusionne", "génère", "générer", "conçois",
		"ouvre", "ouvrir", "intègre", "intégrer", "améliore", "améliorer", "sépare", "séparer", "découpe", "découper", "regroupe", "simplifie", "simplifier", "étends", "retire", "retirer", "enlève", "enlever", "protège", "sécurise", "ordonne", "valide", "valider":
		return true
	// Spanish
	case "añade", "añadir", "añadas", "agrega", "agregar", "agregues", "escribe", "escribir", "escribas", "actualiza", "actualizar", "actualices", "corregir", "corrijas",
		"arregla", "arreglar", "arregles", "elimina", "eliminar", "elimines", "borra", "borrar", "borres", "crea", "crear", "crees", "migra", "migrar", "migres", "despliega",
		"desplegar", "prueba", "probar", "reemplaza", "reemplazar", "reemplaces", "sustituye", "traduce", "traducir", "traduzcas", "configura", "configurar", "configures",
		"prepara", "preparar", "prepares", "redacta", "redactar", "expón", "exponer", "implementa", "implementar", "implementes", "impleméntalo", "desarrolla", "desarrollar",
		"construye", "refactoriza", "refactorizar", "refactorices", "mueve", "mover", "renombra", "renombrar", "guarda", "guardes", "guardar", "enviar", "envía", "instala",
		"instalar", "documenta", "documentar", "documentes", "extrae", "extraer", "publica", "publicar", "publiques", "ejecuta", "ejecutar", "limpia", "limpiar", "optimiza",
		"optimizar", "divide", "genera", "generar", "cambia", "cambiar", "diseña", "diseñar", "integra", "integrar", "reescribe", "convierte", "verifica",
		"abre", "abrir", "lee", "mejora", "mejorar", "separa", "separar", "simplifica", "simplificar", "extiende", "quita", "quitar", "ordena", "ordenar", "pon", "poner", "sube", "subir", "valida", "validar", "añádelo":
		return true
	// Portuguese
	case "adiciona", "adicione", "adicionar", "remova", "remover", "troca", "troque", "trocar", "arruma", "arrume", "arrumar", "coloca", "coloque", "colocar", "corrija", "corrigir", "conserta", "conserte", "consertar", "atualiza", "atualize", "atualizar", "cria", "crie", "criar", "escreve", "escreva", "escrever",
		"faz", "faça", "fazer", "muda", "mude", "mudar", "altera", "altere", "alterar", "tira", "tire", "tirar", "apaga", "apague", "apagar", "roda", "rode", "rodar", "sobe", "suba", "testa", "publique", "refatora", "refatore", "refatorar", "implemente", "ajusta", "ajuste", "ajustar", "melhora", "melhore", "melhorar", "traduz", "traduza", "traduzir", "gera", "gere", "gerar", "substitui", "substitua", "substituir", "limpe":
		return true
	}
	return russianVerb(word)
}

// russianVerb says that a word is a Russian verb that asks: an infinitive, which
// ends like no other word, or an imperative.
func russianVerb(word string) bool {
	if len(word) < 8 || word[0] != 0xd0 && word[0] != 0xd1 {
		return false
	}
	for _, end := range [...]string{"ать", "ить", "еть", "ять", "уть", "ти", "ься", "ьте", "йте", "ите"} {
		if strings.HasSuffix(word, end) {
			return true
		}
	}
	switch word {
	case "добавь", "исправь", "почини", "удали", "убери", "сделай", "обнови", "напиши", "перепиши", "переименуй", "замени", "настрой", "проверь", "создай", "реализуй", "поправь", "поменяй", "измени", "перенеси", "переведи", "вынеси", "запусти", "задеплой", "подними", "покрой", "оптимизируй", "подключи", "раздели", "объедини", "опубликуй", "внедри", "почисти", "поставь", "включи", "отключи", "залей", "собери", "разбей":
		return true
	}
	return false
}

// lastVerb says that a word is a German verb as it ends a clause that asks:
// die Tests reparieren.
func lastVerb(word string) bool {
	switch word {
	case "schreiben", "löschen", "ergänzen", "ersetzen", "hinzufügen", "einbauen", "ausbauen", "umbauen", "erstellen", "anlegen", "entfernen", "beheben", "deployen", "testen", "prüfen", "umstellen", "aufräumen", "nachziehen", "verschieben",
		"umbenennen", "einrichten", "veröffentlichen", "umsetzen", "übersetzen", "aufteilen", "auslagern", "hochziehen", "anpassen", "ändern", "bauen", "mergen", "committen", "pushen", "schicken", "verschicken", "absichern", "nachrüsten", "abschalten", "austauschen", "überarbeiten", "vereinfachen", "zusammenführen", "aktualisieren", "bereinigen":
		return true
	}
	return len(word) > 7 && strings.HasSuffix(word, "ieren") && word != "funktionieren" && word != "reproduzieren" && word != "passieren"
}
