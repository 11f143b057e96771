package view

import (
	"fmt"
	"strings"
	"time"

	"paperfs/remote/rules"
)

// Words are the texts of a language. Most of those with %d take page numbers.
type Words struct {
	Tag                                                string
	Skip, Bar, Pages, Page, PageOf, Spread             string
	Previous, Next, Overview, ZoomIn, ZoomOut, ZoomAll string
	Text, Pictures, FullScreen, Share, Copied, Print   string
	Address, Embed, Copy, Send                         string // of the dialog that shares
	Close, Products, NoText, Elsewhere                 string
	SkipToPapers, Category, Here, Titles, NoPapers     string // of a shelf
	AllPapers, Sorting, ByName, Newest                 string // of a shelf
	Months                                             string // their names, with blanks between them
	Dated                                              string // a date: %d for the day, %s for the month, %d for the year
	Earlier, Later, More, Short, Empty                 string
	Contents, Search, Phrase, Hits, NoHits, Partly     string
	PreviousHit, NextHit, HitOf, EndSearch             string
	TwoPages, ContinueAt                               string // ContinueAt has %d for a page number

	Point                                  string // the decimal separator
	Basket, Amount, Order, PutIn, Taken    string // Taken has %s for a product
	Remove, EmptyBasket, Total, OrderNote  string // Remove has %s for a product
	Ordered, BackToPages                   string // Ordered has %s for a number
	OnlyPreview, Changed, TooMany, NotNow  string
	Busy                                   string            // of a search
	Refused, Unsure, Broken, Long          string            // Broken has %d for the HTTP status
	Gone                                   string            // the paper is no longer at its address
	Kept                                   string            // so is the basket, after Gone
	Unloaded                               string            // a script cannot be loaded
	GoTo, PreviewUntil, Offline            string            // PreviewUntil comes before a time
	NotHere, Over, Closed, Preparing, Away Saying            // in place of pages
	Others, Again                          string            // what can be done there
	Checkouts, Handovers                   map[string]string // by checkout type; %s for the recipient
}

// Saying is why there are no pages: a heading and a sentence.
type Saying struct{ Heading, Text string }

// Languages are the supported languages. The first is used for all others.
var Languages = []Words{
	{Tag: "en", SkipToPapers: "Skip to the publications", Category: "Category",
		Here: "You are here", Titles: "Search the publications", NoPapers: "No publication here has these words in its title.", AllPapers: "All publications", Sorting: "Order", ByName: "By name", Newest: "Newest first", Months: "January February March April May June July August September October November December", Dated: "%d %s %d",
		Skip: "Skip to the pages", Bar: "Tools", Pages: "Pages", Page: "Page %d", PageOf: "Page %d of %d", Spread: "Pages %d–%d of %d",
		Previous: "Back", Next: "Next", Overview: "Overview", ZoomIn: "Larger", ZoomOut: "Smaller", ZoomAll: "Whole page",
		Text: "Text", Pictures: "Pages", FullScreen: "Full screen", Share: "Share", Copied: "Copied.", Address: "Address", Embed: "Code for a website", Copy: "Copy", Send: "Send", Print: "Print",
		Close: "Close", Products: "Products", NoText: "This page has no text.", Elsewhere: "The text of this page is not shown here: the paper has too much of it.",
		Earlier: "Earlier pages", Later: "More pages", More: "More", Short: "The list ends here: too much of what follows is not published.", Empty: "This paper has no pages yet.",
		Contents: "Contents", Search: "Search", Phrase: "Text to find", Hits: "Pages with this text: %d", NoHits: "No page has this text.", PreviousHit: "Previous hit", NextHit: "Next hit", HitOf: "Hit %d of %d", EndSearch: "End the search", TwoPages: "Two pages", ContinueAt: "Continue on page %d", Partly: "Only the text that is shown here was searched.",
		Point: ".", Basket: "Basket", Amount: "Amount", Order: "Order", PutIn: "Put into the basket", Taken: "In the basket: %s", Remove: "Remove %s", EmptyBasket: "The basket is empty.", Total: "Total",
		OrderNote: "Only products and amounts are recorded, nothing about you. You add your name and address in the next step.", Ordered: "Order %s is recorded.", BackToPages: "Back to the pages",
		OnlyPreview: "This is a preview: nothing is sent.", Changed: "A price has changed, or a product cannot be ordered any more. Look at the basket before you order.",
		TooMany: "There were too many orders. Try again later.", Busy: "Too many people are searching right now. Load this address again in a few seconds, or read the pages without the search.", NotNow: "No order can be accepted right now. Try again in a few minutes.", Refused: "The order was not accepted.", Unsure: "No answer came. Press the button again: the order counts once.", Broken: "The order got no proper answer (error %d). The basket is kept. Try again in a minute: the order counts once.", Long: "The order is too long to be sent at once. Take some products out, and order them afterwards.",
		Unloaded: "Not working now. Reload the page.", Gone: "This publication is no longer available at this address, so nothing can be ordered from it.", Kept: "The basket is kept.",
		GoTo: "Page number", PreviewUntil: "Preview until", Offline: "You are offline. Missing pages come when you are connected again.",
		NotHere: Saying{"Nothing is published here", "The address may be wrong, or the publication is not out yet."}, Over: Saying{"This publication has ended", "It is no longer available at this address."}, Closed: Saying{"This preview is over", "The link is not valid, has expired, or is not for your address. Ask whoever sent it for a new one."}, Preparing: Saying{"This publication is being prepared", "Its pages open here by themselves in a moment."}, Away: Saying{"The service is away for a moment", "This page tries again by itself in a few seconds."}, Others: "See what is published", Again: "Try again",
		Checkouts: byType("Order and write an e-mail to %s", "Order and continue at %s", "Order and print", "Order and write with WhatsApp", "Order and write an e-mail", "Order and write a text message to %s"),
		Handovers: byType("Write the e-mail", "Continue", "Print", "Open WhatsApp", "Write the e-mail", "Write the text message")},
	{Tag: "de", SkipToPapers: "Zu den Publikationen springen", Category: "Kategorie",
		Here: "Sie sind hier", Titles: "Publikationen suchen", NoPapers: "Keine Publikation hier hat diese Wörter im Titel.", AllPapers: "Alle Publikationen", Sorting: "Reihenfolge", ByName: "Nach Namen", Newest: "Neueste zuerst", Months: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember", Dated: "%d. %s %d",
		Skip: "Zu den Seiten springen", Bar: "Werkzeuge", Pages: "Seiten", Page: "Seite %d", PageOf: "Seite %d von %d", Spread: "Seiten %d–%d von %d",
		Previous: "Zurück", Next: "Weiter", Overview: "Übersicht", ZoomIn: "Größer", ZoomOut: "Kleiner", ZoomAll: "Ganze Seite",
		Text: "Text", Pictures: "Seiten", FullScreen: "Vollbild", Share: "Teilen", Copied: "Kopiert.", Address: "Adresse", Embed: "Code für eine Website", Copy: "Kopieren", Send: "Senden", Print: "Drucken",
		Close: "Schließen", Products: "Produkte", NoText: "Diese Seite hat keinen Text.", Elsewhere: "Der Text dieser Seite steht nicht hier: Die Publikation hat zu viel davon.",
		Earlier: "Frühere Seiten", Later: "Weitere Seiten", More: "Mehr", Short: "Die Liste endet hier: Zu viel vom Folgenden ist nicht veröffentlicht.", Empty: "Diese Publikation hat noch keine Seiten.",
		Contents: "Inhalt", Search: "Suchen", Phrase: "Gesuchter Text", Hits: "Seiten mit diesem Text: %d", NoHits: "Keine Seite enthält diesen Text.", PreviousHit: "Vorige Fundstelle", NextHit: "Nächste Fundstelle", HitOf: "Fundstelle %d von %d", EndSearch: "Suche beenden", TwoPages: "Doppelseiten", ContinueAt: "Auf Seite %d weiterlesen", Partly: "Durchsucht wurde nur der Text, der hier steht.",
		Point: ",", Basket: "Warenkorb", Amount: "Menge", Order: "Bestellen", PutIn: "In den Warenkorb", Taken: "Im Warenkorb: %s", Remove: "%s entfernen", EmptyBasket: "Der Warenkorb ist leer.", Total: "Summe",
		OrderNote: "Festgehalten werden Produkte und Mengen, nichts über Sie. Name und Adresse schreiben Sie im nächsten Schritt.", Ordered: "Bestellung %s ist aufgenommen.", BackToPages: "Zurück zu den Seiten",
		OnlyPreview: "Dies ist eine Vorschau: Es wird nichts gesendet.", Changed: "Ein Preis hat sich geändert, oder ein Produkt ist nicht mehr bestellbar. Sehen Sie den Warenkorb an, bevor Sie bestellen.",
		TooMany: "Es gab zu viele Bestellungen. Versuchen Sie es später noch einmal.", Busy: "Gerade suchen hier zu viele Leute. Laden Sie diese Adresse in einigen Sekunden noch einmal, oder lesen Sie die Seiten ohne die Suche.", NotNow: "Gerade kann keine Bestellung angenommen werden. Versuchen Sie es in einigen Minuten noch einmal.", Refused: "Die Bestellung wurde nicht angenommen.", Unsure: "Es kam keine Antwort. Drücken Sie noch einmal: Die Bestellung zählt nur einmal.", Broken: "Die Bestellung bekam keine richtige Antwort (Fehler %d). Der Warenkorb bleibt. Versuchen Sie es in einer Minute noch einmal: Die Bestellung zählt nur einmal.", Long: "Die Bestellung ist zu lang, um auf einmal gesendet zu werden. Nehmen Sie einige Produkte heraus, und bestellen Sie diese danach.",
		Unloaded: "Geht gerade nicht. Seite neu laden.", Gone: "Diese Publikation ist unter dieser Adresse nicht mehr verfügbar, daher kann nichts daraus bestellt werden.", Kept: "Der Warenkorb bleibt.",
		GoTo: "Seitenzahl", PreviewUntil: "Vorschau bis", Offline: "Keine Verbindung. Fehlende Seiten kommen, sobald Sie wieder verbunden sind.",
		NotHere: Saying{"Hier ist nichts veröffentlicht", "Die Adresse stimmt vielleicht nicht, oder die Publikation ist noch nicht erschienen."}, Over: Saying{"Diese Publikation ist abgelaufen", "Sie ist unter dieser Adresse nicht mehr verfügbar."}, Closed: Saying{"Diese Vorschau ist vorbei", "Der Link gilt nicht, ist abgelaufen oder nicht für Ihre Adresse. Bitten Sie um einen neuen, wo Sie ihn bekommen haben."}, Preparing: Saying{"Diese Publikation wird vorbereitet", "Ihre Seiten öffnen sich hier gleich von selbst."}, Away: Saying{"Der Dienst ist gerade nicht erreichbar", "Diese Seite versucht es in einigen Sekunden von selbst noch einmal."}, Others: "Zu den Publikationen", Again: "Noch einmal versuchen",
		Checkouts: byType("Bestellen und E-Mail an %s schreiben", "Bestellen und weiter bei %s", "Bestellen und drucken", "Bestellen und mit WhatsApp schreiben", "Bestellen und E-Mail schreiben", "Bestellen und SMS an %s schreiben"),
		Handovers: byType("E-Mail schreiben", "Weiter", "Drucken", "WhatsApp öffnen", "E-Mail schreiben", "SMS schreiben")},
	{Tag: "fr", SkipToPapers: "Aller aux publications", Category: "Catégorie",
		Here: "Vous êtes ici", Titles: "Chercher une publication", NoPapers: "Aucune publication d’ici n’a ces mots dans son titre.", AllPapers: "Toutes les publications", Sorting: "Ordre", ByName: "Par nom", Newest: "Plus récentes d’abord", Months: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre", Dated: "%d %s %d",
		Skip: "Aller aux pages", Bar: "Outils", Pages: "Pages", Page: "Page %d", PageOf: "Page %d sur %d", Spread: "Pages %d–%d sur %d",
		Previous: "Précédent", Next: "Suivant", Overview: "Vue d’ensemble", ZoomIn: "Agrandir", ZoomOut: "Réduire", ZoomAll: "Page entière",
		Text: "Texte", Pictures: "Pages", FullScreen: "Plein écran", Share: "Partager", Copied: "Copié.", Address: "Adresse", Embed: "Code pour un site web", Copy: "Copier", Send: "Envoyer", Print: "Imprimer",
		Close: "Fermer", Products: "Produits", NoText: "Cette page n’a pas de texte.", Elsewhere: "Le texte de cette page n’est pas affiché ici : la publication en a trop.",
		Earlier: "Pages précédentes", Later: "Pages suivantes", More: "Plus", Short: "La liste s’arrête ici : une trop grande partie de la suite n’est pas publiée.", Empty: "Cette publication n’a pas encore de pages.",
		Contents: "Sommaire", Search: "Rechercher", Phrase: "Texte recherché", Hits: "Pages avec ce texte : %d", NoHits: "Aucune page ne contient ce texte.", PreviousHit: "Résultat précédent", NextHit: "Résultat suivant", HitOf: "Résultat %d sur %d", EndSearch: "Terminer la recherche", TwoPages: "Deux pages", ContinueAt: "Reprendre à la page %d", Partly: "Seul le texte affiché ici a été parcouru.",
		Point: ",", Basket: "Panier", Amount: "Quantité", Order: "Commande", PutIn: "Mettre au panier", Taken: "Dans le panier : %s", Remove: "Retirer %s", EmptyBasket: "Le panier est vide.", Total: "Total",
		OrderNote: "Seuls les produits et les quantités sont enregistrés, rien sur vous. Vous indiquerez votre nom et votre adresse ensuite.", Ordered: "La commande %s est enregistrée.", BackToPages: "Retour aux pages",
		OnlyPreview: "Ceci est un aperçu : rien n’est envoyé.", Changed: "Un prix a changé, ou un produit ne peut plus être commandé. Vérifiez le panier avant de commander.",
		TooMany: "Il y a eu trop de commandes. Réessayez plus tard.", Busy: "Trop de recherches sont en cours. Rechargez cette adresse dans quelques secondes, ou lisez les pages sans la recherche.", NotNow: "Aucune commande ne peut être prise maintenant. Réessayez dans quelques minutes.", Refused: "La commande n’a pas été prise.", Unsure: "Aucune réponse. Appuyez de nouveau : la commande ne compte qu’une fois.", Broken: "La commande n’a pas reçu de réponse valable (erreur %d). Le panier est conservé. Réessayez dans une minute : la commande ne compte qu’une fois.", Long: "La commande est trop longue pour être envoyée en une fois. Retirez quelques produits et commandez-les ensuite.",
		Unloaded: "Indisponible. Rechargez la page.", Gone: "Cette publication n’est plus disponible à cette adresse : rien ne peut plus y être commandé.", Kept: "Le panier est conservé.",
		GoTo: "Numéro de page", PreviewUntil: "Aperçu jusqu’au", Offline: "Vous êtes hors ligne. Les pages manquantes arrivent dès que la connexion est rétablie.",
		NotHere: Saying{"Rien n’est publié ici", "L’adresse est peut-être fausse, ou la publication n’est pas encore parue."}, Over: Saying{"Cette publication est terminée", "Elle n’est plus disponible à cette adresse."}, Closed: Saying{"Cet aperçu est terminé", "Le lien n’est pas valable, a expiré ou n’est pas destiné à votre adresse. Demandez-en un nouveau à la personne qui l’a envoyé."}, Preparing: Saying{"Cette publication est en préparation", "Ses pages s’ouvriront ici d’elles-mêmes dans un instant."}, Away: Saying{"Le service est momentanément indisponible", "Cette page réessaie d’elle-même dans quelques secondes."}, Others: "Voir les publications", Again: "Réessayer",
		Checkouts: byType("Commander et écrire un e-mail à %s", "Commander et continuer sur %s", "Commander et imprimer", "Commander et écrire par WhatsApp", "Commander et écrire un e-mail", "Commander et écrire un SMS au %s"),
		Handovers: byType("Écrire l’e-mail", "Continuer", "Imprimer", "Ouvrir WhatsApp", "Écrire l’e-mail", "Écrire le SMS")},
	{Tag: "da", SkipToPapers: "Gå til publikationerne", Category: "Kategori",
		Here: "Du er her", Titles: "Søg i publikationerne", NoPapers: "Ingen publikation her har disse ord i titlen.", AllPapers: "Alle publikationer", Sorting: "Rækkefølge", ByName: "Efter navn", Newest: "Nyeste først", Months: "januar februar marts april maj juni juli august september oktober november december", Dated: "%d. %s %d",
		Skip: "Gå til siderne", Bar: "Værktøjer", Pages: "Sider", Page: "Side %d", PageOf: "Side %d af %d", Spread: "Side %d–%d af %d",
		Previous: "Tilbage", Next: "Næste", Overview: "Oversigt", ZoomIn: "Større", ZoomOut: "Mindre", ZoomAll: "Hele siden",
		Text: "Tekst", Pictures: "Sider", FullScreen: "Fuld skærm", Share: "Del", Copied: "Kopieret.", Address: "Adresse", Embed: "Kode til et websted", Copy: "Kopiér", Send: "Send", Print: "Udskriv",
		Close: "Luk", Products: "Produkter", NoText: "Denne side har ingen tekst.", Elsewhere: "Teksten på denne side vises ikke her: Publikationen har for meget af den.",
		Earlier: "Tidligere sider", Later: "Flere sider", More: "Mere", Short: "Listen slutter her: For meget af det følgende er ikke udgivet.", Empty: "Denne publikation har endnu ingen sider.",
		Contents: "Indhold", Search: "Søg", Phrase: "Søgetekst", Hits: "Sider med denne tekst: %d", NoHits: "Ingen sider indeholder denne tekst.", PreviousHit: "Forrige fund", NextHit: "Næste fund", HitOf: "Fund %d af %d", EndSearch: "Afslut søgningen", TwoPages: "To sider", ContinueAt: "Fortsæt på side %d", Partly: "Kun den tekst, der vises her, er gennemsøgt.",
		Point: ",", Basket: "Kurv", Amount: "Antal", Order: "Bestil", PutIn: "Læg i kurven", Taken: "I kurven: %s", Remove: "Fjern %s", EmptyBasket: "Kurven er tom.", Total: "I alt",
		OrderNote: "Kun produkter og antal gemmes, intet om dig. Navn og adresse skriver du i næste trin.", Ordered: "Bestilling %s er modtaget.", BackToPages: "Tilbage til siderne",
		OnlyPreview: "Dette er en forhåndsvisning: Intet sendes.", Changed: "En pris er ændret, eller et produkt kan ikke længere bestilles. Se kurven igennem, før du bestiller.",
		TooMany: "Der var for mange bestillinger. Prøv igen senere.", Busy: "Der søges for meget her lige nu. Indlæs adressen igen om nogle sekunder, eller læs siderne uden søgningen.", NotNow: "Der kan ikke bestilles lige nu. Prøv igen om nogle minutter.", Refused: "Bestillingen blev ikke modtaget.", Unsure: "Der kom intet svar. Tryk igen: Bestillingen tæller kun én gang.", Broken: "Bestillingen fik ikke et rigtigt svar (fejl %d). Kurven er gemt. Prøv igen om et minut: Bestillingen tæller kun én gang.", Long: "Bestillingen er for lang til at blive sendt på én gang. Tag nogle produkter ud, og bestil dem bagefter.",
		Unloaded: "Virker ikke nu. Genindlæs siden.", Gone: "Denne publikation findes ikke længere på denne adresse, så der kan ikke bestilles noget fra den.", Kept: "Kurven er gemt.",
		GoTo: "Sidetal", PreviewUntil: "Forhåndsvisning til", Offline: "Du er offline. Manglende sider kommer, når du har forbindelse igen.",
		NotHere: Saying{"Her er intet udgivet", "Adressen er måske forkert, eller publikationen er ikke udkommet endnu."}, Over: Saying{"Denne publikation er udløbet", "Den findes ikke længere på denne adresse."}, Closed: Saying{"Denne forhåndsvisning er slut", "Linket gælder ikke, er udløbet eller er ikke til din adresse. Bed afsenderen om et nyt."}, Preparing: Saying{"Denne publikation gøres klar", "Siderne åbner her af sig selv om et øjeblik."}, Away: Saying{"Tjenesten er væk et øjeblik", "Denne side prøver selv igen om nogle sekunder."}, Others: "Se publikationerne", Again: "Prøv igen",
		Checkouts: byType("Bestil og skriv en e-mail til %s", "Bestil og fortsæt hos %s", "Bestil og udskriv", "Bestil og skriv med WhatsApp", "Bestil og skriv en e-mail", "Bestil og skriv en sms til %s"),
		Handovers: byType("Skriv e-mailen", "Fortsæt", "Udskriv", "Åbn WhatsApp", "Skriv e-mailen", "Skriv sms’en")},
	{Tag: "nl", SkipToPapers: "Naar de publicaties", Category: "Categorie",
		Here: "U bent hier", Titles: "Publicaties zoeken", NoPapers: "Geen publicatie hier heeft deze woorden in de titel.", AllPapers: "Alle publicaties", Sorting: "Volgorde", ByName: "Op naam", Newest: "Nieuwste eerst", Months: "januari februari maart april mei juni juli augustus september oktober november december", Dated: "%d %s %d",
		Skip: "Naar de pagina’s", Bar: "Hulpmiddelen", Pages: "Pagina’s", Page: "Pagina %d", PageOf: "Pagina %d van %d", Spread: "Pagina’s %d–%d van %d",
		Previous: "Terug", Next: "Volgende", Overview: "Overzicht", ZoomIn: "Groter", ZoomOut: "Kleiner", ZoomAll: "Hele pagina",
		Text: "Tekst", Pictures: "Pagina’s", FullScreen: "Volledig scherm", Share: "Delen", Copied: "Gekopieerd.", Address: "Adres", Embed: "Code voor een website", Copy: "Kopiëren", Send: "Versturen", Print: "Afdrukken",
		Close: "Sluiten", Products: "Producten", NoText: "Deze pagina heeft geen tekst.", Elsewhere: "De tekst van deze pagina staat hier niet: de publicatie heeft er te veel van.",
		Earlier: "Eerdere pagina’s", Later: "Meer pagina’s", More: "Meer", Short: "De lijst eindigt hier: te veel van wat volgt is niet gepubliceerd.", Empty: "Deze publicatie heeft nog geen pagina’s.",
		Contents: "Inhoud", Search: "Zoeken", Phrase: "Gezochte tekst", Hits: "Pagina’s met deze tekst: %d", NoHits: "Geen enkele pagina bevat deze tekst.", PreviousHit: "Vorige vindplaats", NextHit: "Volgende vindplaats", HitOf: "Vindplaats %d van %d", EndSearch: "Zoeken beëindigen", TwoPages: "Twee pagina’s", ContinueAt: "Verder op pagina %d", Partly: "Alleen de tekst die hier staat, is doorzocht.",
		Point: ",", Basket: "Winkelmand", Amount: "Aantal", Order: "Bestellen", PutIn: "In de winkelmand", Taken: "In de winkelmand: %s", Remove: "%s verwijderen", EmptyBasket: "De winkelmand is leeg.", Total: "Totaal",
		OrderNote: "Alleen producten en aantallen worden vastgelegd, niets over u. Naam en adres schrijft u in de volgende stap.", Ordered: "Bestelling %s is vastgelegd.", BackToPages: "Terug naar de pagina’s",
		OnlyPreview: "Dit is een voorvertoning: er wordt niets verzonden.", Changed: "Een prijs is veranderd, of een product is niet meer te bestellen. Bekijk de winkelmand voordat u bestelt.",
		TooMany: "Er waren te veel bestellingen. Probeer het later opnieuw.", Busy: "Er wordt hier nu te veel gezocht. Laad dit adres over enkele seconden opnieuw, of lees de pagina’s zonder de zoekopdracht.", NotNow: "Er kan nu niet worden besteld. Probeer het over enkele minuten opnieuw.", Refused: "De bestelling is niet aangenomen.", Unsure: "Er kwam geen antwoord. Druk nog eens: de bestelling telt maar één keer.", Broken: "De bestelling kreeg geen goed antwoord (fout %d). De winkelmand is bewaard. Probeer het over een minuut opnieuw: de bestelling telt maar één keer.", Long: "De bestelling is te lang om in één keer te verzenden. Haal er enkele producten uit en bestel die daarna.",
		Unloaded: "Werkt nu niet. Laad opnieuw.", Gone: "Deze publicatie is niet meer beschikbaar op dit adres, dus er kan niets uit worden besteld.", Kept: "De winkelmand is bewaard.",
		GoTo: "Paginanummer", PreviewUntil: "Voorvertoning tot", Offline: "U bent offline. Ontbrekende pagina’s komen zodra u weer verbonden bent.",
		NotHere: Saying{"Hier is niets gepubliceerd", "Het adres klopt misschien niet, of de publicatie is nog niet verschenen."}, Over: Saying{"Deze publicatie is afgelopen", "Ze is niet meer beschikbaar op dit adres."}, Closed: Saying{"Deze voorvertoning is voorbij", "De link is niet geldig, is verlopen of is niet voor uw adres. Vraag de afzender om een nieuwe."}, Preparing: Saying{"Deze publicatie wordt voorbereid", "De pagina’s openen hier zo vanzelf."}, Away: Saying{"De dienst is even niet bereikbaar", "Deze pagina probeert het over enkele seconden vanzelf opnieuw."}, Others: "Naar de publicaties", Again: "Opnieuw proberen",
		Checkouts: byType("Bestellen en e-mail schrijven aan %s", "Bestellen en verder bij %s", "Bestellen en afdrukken", "Bestellen en schrijven met WhatsApp", "Bestellen en e-mail schrijven", "Bestellen en sms schrijven aan %s"),
		Handovers: byType("E-mail schrijven", "Verder", "Afdrukken", "WhatsApp openen", "E-mail schrijven", "Sms schrijven")},
	{Tag: "es", SkipToPapers: "Ir a las publicaciones", Category: "Categoría",
		Here: "Está aquí", Titles: "Buscar publicaciones", NoPapers: "Ninguna publicación de aquí tiene estas palabras en el título.", AllPapers: "Todas las publicaciones", Sorting: "Orden", ByName: "Por nombre", Newest: "Más recientes primero", Months: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre", Dated: "%d de %s de %d",
		Skip: "Ir a las páginas", Bar: "Herramientas", Pages: "Páginas", Page: "Página %d", PageOf: "Página %d de %d", Spread: "Páginas %d–%d de %d",
		Previous: "Atrás", Next: "Siguiente", Overview: "Vista general", ZoomIn: "Ampliar", ZoomOut: "Reducir", ZoomAll: "Página entera",
		Text: "Texto", Pictures: "Páginas", FullScreen: "Pantalla completa", Share: "Compartir", Copied: "Copiado.", Address: "Dirección", Embed: "Código para un sitio web", Copy: "Copiar", Send: "Enviar", Print: "Imprimir",
		Close: "Cerrar", Products: "Productos", NoText: "Esta página no tiene texto.", Elsewhere: "El texto de esta página no se muestra aquí: la publicación tiene demasiado.",
		Earlier: "Páginas anteriores", Later: "Más páginas", More: "Más", Short: "La lista termina aquí: demasiado de lo que sigue no está publicado.", Empty: "Esta publicación todavía no tiene páginas.",
		Contents: "Contenido", Search: "Buscar", Phrase: "Texto buscado", Hits: "Páginas con este texto: %d", NoHits: "Ninguna página contiene este texto.", PreviousHit: "Resultado anterior", NextHit: "Resultado siguiente", HitOf: "Resultado %d de %d", EndSearch: "Terminar la búsqueda", TwoPages: "Dos páginas", ContinueAt: "Seguir en la página %d", Partly: "Solo se ha buscado en el texto que se muestra aquí.",
		Point: ",", Basket: "Cesta", Amount: "Cantidad", Order: "Pedido", PutIn: "Poner en la cesta", Taken: "En la cesta: %s", Remove: "Quitar %s", EmptyBasket: "La cesta está vacía.", Total: "Total",
		OrderNote: "Se guardan solo los productos y las cantidades, nada de usted. Su nombre y su dirección los escribe en el paso siguiente.", Ordered: "El pedido %s está registrado.", BackToPages: "Volver a las páginas",
		OnlyPreview: "Esto es una vista previa: no se envía nada.", Changed: "Un precio ha cambiado o un producto ya no se puede pedir. Revise la cesta antes de pedir.",
		TooMany: "Ha habido demasiados pedidos. Inténtelo más tarde.", Busy: "Hay demasiadas búsquedas en este momento. Vuelva a cargar esta dirección dentro de unos segundos, o lea las páginas sin la búsqueda.", NotNow: "Ahora no se puede aceptar ningún pedido. Inténtelo dentro de unos minutos.", Refused: "El pedido no se ha aceptado.", Unsure: "No ha llegado respuesta. Pulse de nuevo: el pedido cuenta una sola vez.", Broken: "El pedido no recibió una respuesta válida (error %d). La cesta se conserva. Inténtelo de nuevo dentro de un minuto: el pedido cuenta una sola vez.", Long: "El pedido es demasiado largo para enviarlo de una vez. Quite algunos productos y pídalos después.",
		Unloaded: "No disponible. Recargue la página.", Gone: "Esta publicación ya no está disponible en esta dirección, así que no se puede pedir nada de ella.", Kept: "La cesta se conserva.",
		GoTo: "Número de página", PreviewUntil: "Vista previa hasta el", Offline: "No hay conexión. Las páginas que faltan llegarán cuando vuelva a conectarse.",
		NotHere: Saying{"Aquí no hay nada publicado", "Puede que la dirección no sea correcta, o que la publicación aún no haya salido."}, Over: Saying{"Esta publicación ha terminado", "Ya no está disponible en esta dirección."}, Closed: Saying{"Esta vista previa ha terminado", "El enlace no es válido, ha caducado o no es para su dirección. Pida uno nuevo a quien se lo envió."}, Preparing: Saying{"Esta publicación se está preparando", "Sus páginas se abrirán aquí por sí solas en un momento."}, Away: Saying{"El servicio no está disponible por un momento", "Esta página lo intentará de nuevo por sí sola en unos segundos."}, Others: "Ver las publicaciones", Again: "Intentar de nuevo",
		Checkouts: byType("Pedir y escribir un correo a %s", "Pedir y continuar en %s", "Pedir e imprimir", "Pedir y escribir por WhatsApp", "Pedir y escribir un correo", "Pedir y escribir un SMS al %s"),
		Handovers: byType("Escribir el correo", "Continuar", "Imprimir", "Abrir WhatsApp", "Escribir el correo", "Escribir el SMS")},
}

// byType returns the texts by checkout type. They are in the order of rules.CheckoutTypes.
func byType(texts ...string) map[string]string {
	all := map[string]string{}
	for i, kind := range rules.CheckoutTypes {
		all[kind] = texts[i]
	}
	return all
}

// wordsOf returns the words for a language tag such as de-CH.
func wordsOf(tag string) Words {
	primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
	for _, w := range Languages {
		if w.Tag == primary {
			return w
		}
	}
	return Languages[0]
}

// Date returns the day of a time, in UTC.
func (w Words) Date(at time.Time) string {
	year, month, day := at.UTC().Date()
	text := fmt.Sprintf(w.Dated, day, strings.Fields(w.Months)[month-1], year)
	if w.Tag == "fr" && day == 1 {
		return "1er" + text[1:]
	}
	return text
}

// Money formats an amount with at least two decimals, and the currency, if any.
func (w Words) Money(amount, currency string) string {
	whole, part, _ := strings.Cut(amount, ".")
	for len(part) < 2 {
		part += "0"
	}
	return strings.TrimSpace(whole + w.Point + part + " " + currency)
}
