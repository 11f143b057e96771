package view

import "strings"

// Words are the texts of a language. Those with %d take page numbers.
type Words struct {
	Tag                                                string
	Skip, Bar, Pages, Page, PageOf, Spread             string
	Previous, Next, Overview, ZoomIn, ZoomOut, ZoomAll string
	Text, Pictures, FullScreen, Share, Copied, Print   string
	Close, Products, NoText, Elsewhere                 string
	Earlier, Later, More, Short, Empty                 string
	Contents, Search, Phrase, Hits, NoHits, Partly     string
}

// Languages are those that have words; the first stands in for any other.
var Languages = []Words{
	{Tag: "en", Skip: "Skip to the pages", Bar: "Tools", Pages: "Pages", Page: "Page %d", PageOf: "Page %d of %d", Spread: "Pages %d–%d of %d",
		Previous: "Back", Next: "Next", Overview: "Overview", ZoomIn: "Larger", ZoomOut: "Smaller", ZoomAll: "Whole page",
		Text: "Text", Pictures: "Pages", FullScreen: "Full screen", Share: "Share", Copied: "The address is copied.", Print: "Print",
		Close: "Close", Products: "Products", NoText: "This page has no text.", Elsewhere: "The text of this page is not shown here: the paper has too much of it.",
		Earlier: "Earlier pages", Later: "More pages", More: "More", Short: "The list ends here: too much of what follows is not published.", Empty: "This paper has no pages yet.",
		Contents: "Contents", Search: "Search", Phrase: "Text to find", Hits: "Pages with this text: %d", NoHits: "No page has this text.", Partly: "Only the text that is shown here was searched."},
	{Tag: "de", Skip: "Zu den Seiten springen", Bar: "Werkzeuge", Pages: "Seiten", Page: "Seite %d", PageOf: "Seite %d von %d", Spread: "Seiten %d–%d von %d",
		Previous: "Zurück", Next: "Weiter", Overview: "Übersicht", ZoomIn: "Größer", ZoomOut: "Kleiner", ZoomAll: "Ganze Seite",
		Text: "Text", Pictures: "Seiten", FullScreen: "Vollbild", Share: "Teilen", Copied: "Die Adresse ist kopiert.", Print: "Drucken",
		Close: "Schließen", Products: "Produkte", NoText: "Diese Seite hat keinen Text.", Elsewhere: "Der Text dieser Seite steht nicht hier: Die Publikation hat zu viel davon.",
		Earlier: "Frühere Seiten", Later: "Weitere Seiten", More: "Mehr", Short: "Die Liste endet hier: Zu viel vom Folgenden ist nicht veröffentlicht.", Empty: "Diese Publikation hat noch keine Seiten.",
		Contents: "Inhalt", Search: "Suchen", Phrase: "Gesuchter Text", Hits: "Seiten mit diesem Text: %d", NoHits: "Keine Seite enthält diesen Text.", Partly: "Durchsucht wurde nur der Text, der hier steht."},
	{Tag: "fr", Skip: "Aller aux pages", Bar: "Outils", Pages: "Pages", Page: "Page %d", PageOf: "Page %d sur %d", Spread: "Pages %d–%d sur %d",
		Previous: "Précédent", Next: "Suivant", Overview: "Vue d’ensemble", ZoomIn: "Agrandir", ZoomOut: "Réduire", ZoomAll: "Page entière",
		Text: "Texte", Pictures: "Pages", FullScreen: "Plein écran", Share: "Partager", Copied: "L’adresse est copiée.", Print: "Imprimer",
		Close: "Fermer", Products: "Produits", NoText: "Cette page n’a pas de texte.", Elsewhere: "Le texte de cette page n’est pas affiché ici : la publication en a trop.",
		Earlier: "Pages précédentes", Later: "Pages suivantes", More: "Plus", Short: "La liste s’arrête ici : une trop grande partie de la suite n’est pas publiée.", Empty: "Cette publication n’a pas encore de pages.",
		Contents: "Sommaire", Search: "Rechercher", Phrase: "Texte recherché", Hits: "Pages avec ce texte : %d", NoHits: "Aucune page ne contient ce texte.", Partly: "Seul le texte affiché ici a été parcouru."},
	{Tag: "da", Skip: "Gå til siderne", Bar: "Værktøjer", Pages: "Sider", Page: "Side %d", PageOf: "Side %d af %d", Spread: "Side %d–%d af %d",
		Previous: "Tilbage", Next: "Næste", Overview: "Oversigt", ZoomIn: "Større", ZoomOut: "Mindre", ZoomAll: "Hele siden",
		Text: "Tekst", Pictures: "Sider", FullScreen: "Fuld skærm", Share: "Del", Copied: "Adressen er kopieret.", Print: "Udskriv",
		Close: "Luk", Products: "Produkter", NoText: "Denne side har ingen tekst.", Elsewhere: "Teksten på denne side vises ikke her: Publikationen har for meget af den.",
		Earlier: "Tidligere sider", Later: "Flere sider", More: "Mere", Short: "Listen slutter her: For meget af det følgende er ikke udgivet.", Empty: "Denne publikation har endnu ingen sider.",
		Contents: "Indhold", Search: "Søg", Phrase: "Søgetekst", Hits: "Sider med denne tekst: %d", NoHits: "Ingen sider indeholder denne tekst.", Partly: "Kun den tekst, der vises her, er gennemsøgt."},
	{Tag: "nl", Skip: "Naar de pagina’s", Bar: "Hulpmiddelen", Pages: "Pagina’s", Page: "Pagina %d", PageOf: "Pagina %d van %d", Spread: "Pagina’s %d–%d van %d",
		Previous: "Terug", Next: "Volgende", Overview: "Overzicht", ZoomIn: "Groter", ZoomOut: "Kleiner", ZoomAll: "Hele pagina",
		Text: "Tekst", Pictures: "Pagina’s", FullScreen: "Volledig scherm", Share: "Delen", Copied: "Het adres is gekopieerd.", Print: "Afdrukken",
		Close: "Sluiten", Products: "Producten", NoText: "Deze pagina heeft geen tekst.", Elsewhere: "De tekst van deze pagina staat hier niet: de publicatie heeft er te veel van.",
		Earlier: "Eerdere pagina’s", Later: "Meer pagina’s", More: "Meer", Short: "De lijst eindigt hier: te veel van wat volgt is niet gepubliceerd.", Empty: "Deze publicatie heeft nog geen pagina’s.",
		Contents: "Inhoud", Search: "Zoeken", Phrase: "Gezochte tekst", Hits: "Pagina’s met deze tekst: %d", NoHits: "Geen enkele pagina bevat deze tekst.", Partly: "Alleen de tekst die hier staat, is doorzocht."},
	{Tag: "es", Skip: "Ir a las páginas", Bar: "Herramientas", Pages: "Páginas", Page: "Página %d", PageOf: "Página %d de %d", Spread: "Páginas %d–%d de %d",
		Previous: "Atrás", Next: "Siguiente", Overview: "Vista general", ZoomIn: "Ampliar", ZoomOut: "Reducir", ZoomAll: "Página entera",
		Text: "Texto", Pictures: "Páginas", FullScreen: "Pantalla completa", Share: "Compartir", Copied: "La dirección está copiada.", Print: "Imprimir",
		Close: "Cerrar", Products: "Productos", NoText: "Esta página no tiene texto.", Elsewhere: "El texto de esta página no se muestra aquí: la publicación tiene demasiado.",
		Earlier: "Páginas anteriores", Later: "Más páginas", More: "Más", Short: "La lista termina aquí: demasiado de lo que sigue no está publicado.", Empty: "Esta publicación todavía no tiene páginas.",
		Contents: "Contenido", Search: "Buscar", Phrase: "Texto buscado", Hits: "Páginas con este texto: %d", NoHits: "Ninguna página contiene este texto.", Partly: "Solo se ha buscado en el texto que se muestra aquí."},
}

// wordsOf picks the words of a language tag such as de-CH.
func wordsOf(tag string) Words {
	primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
	for _, w := range Languages {
		if w.Tag == primary {
			return w
		}
	}
	return Languages[0]
}
