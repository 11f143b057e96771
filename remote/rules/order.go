package rules

// CheckoutTypes are all checkout types that the documentation names.
var CheckoutTypes = []string{
	"CheckoutByEmail", "CheckoutByExport", "CheckoutByPrint", "CheckoutByWhatsApp", "CheckoutBySharingEmail", "CheckoutBySms",
}
