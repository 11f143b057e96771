package rules

// CheckoutTypes are all that the documentation ever named.
var CheckoutTypes = []string{
	"CheckoutByEmail", "CheckoutByExport", "CheckoutByPrint", "CheckoutByWhatsApp", "CheckoutBySharingEmail", "CheckoutBySms",
}
