package remote

// Code is the result code of an answer's envelope (service contract, 2.4).
// Only Success is success; every other value, known here or not, is a failure.
type Code string

// The documented result codes, and that of the contract's 4.10.
const (
	Success                Code = "SUCCESS"
	Failure                Code = "ERROR"
	ReadOnly               Code = "READONLY"
	LoginSecurityViolation Code = "LOGIN_SECURITY_VIOLATION"
	PaperDoesNotExist      Code = "PAPER_DOES_NOT_EXIST"
	PaperMustNotBeCategory Code = "PAPER_MUST_NOT_BE_CATEGORY"

	UnsupportedCheckoutType      Code = "UNSUPPORTED_CHECKOUT_TYPE"
	SearchTemporarilyUnavailable Code = "SEARCH_TEMPORARILY_UNAVAILABLE"
	SearchNoCriteria             Code = "SEARCH_NO_CUSTOM_FIELD_CRITERIAS"
	SearchNoWildcards            Code = "SEARCH_CUSTOMFIELD_DATATYPE_DOES_NOT_SUPPORT_WILDCARDS"

	AlreadyBeingProcessed    Code = "RIPPER_CANNOT_PROCESS_PAPER_ALREADY_BEING_PROCESSED"
	InvalidBase64PDF         Code = "RIPPER_INVALID_BASE64_PDF_FILE"
	LicenseForbidsProcessing Code = "LICENSE_DOES_NOT_ALLOW_PROCESSING"

	FieldDoesNotExist    Code = "CUSTOMFIELD_FIELD_DOES_NOT_EXIST"
	FieldNameIsNotUnique Code = "CUSTOMFIELD_FIELD_NAME_IS_NOT_UNIQUE"
	InvalidFieldName     Code = "CUSTOMFIELD_INVALID_FIELD_NAME"
	InvalidDataType      Code = "CUSTOMFIELD_INVALID_DATATYPE"
	InvalidDataFormat    Code = "CUSTOMFIELD_INVALID_DATA_FORMAT"

	// VersionConflict is of paperfs's own service: the version that a change requires is not there.
	VersionConflict Code = "VERSION_CONFLICT"
)

// Documented reports whether a code is one of those above.
func (c Code) Documented() bool {
	switch c {
	case Success, Failure, ReadOnly, LoginSecurityViolation, PaperDoesNotExist, PaperMustNotBeCategory,
		UnsupportedCheckoutType, SearchTemporarilyUnavailable, SearchNoCriteria, SearchNoWildcards,
		AlreadyBeingProcessed, InvalidBase64PDF, LicenseForbidsProcessing,
		FieldDoesNotExist, FieldNameIsNotUnique, InvalidFieldName, InvalidDataType, InvalidDataFormat, VersionConflict:
		return true
	}
	return false
}
