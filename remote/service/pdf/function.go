package pdf

import (
	"errors"
	"reflect"

	pdfium "github.com/klippa-app/go-pdfium"
	"github.com/tetratelabs/wazero/api"
)

// oftenCalled are PDFium's functions that are called for each line, word or link.
var oftenCalled = []string{
	"FPDFText_GetCharIndexFromTextIndex", "FPDFText_GetLooseCharBox", "FPDFText_GetCharBox",
	"FPDFText_CountRects", "FPDFText_GetRect", "FPDF_PageToDevice",
	"FPDFLink_Enumerate", "FPDFLink_GetDest", "FPDFLink_GetAction", "FPDFLink_GetAnnotRect",
	"FPDFAction_GetType", "FPDFAction_GetURIPath", "FPDFAction_GetDest", "FPDFDest_GetDestPageIndex",
}

// module keeps functions that are called often. go-pdfium looks a function up for each
// call, and wazero makes a stack of 10 KB for it each time, which costs several times as
// much as a short call itself. Other functions are not kept: their stacks grow with the
// document.
//
// A function that is kept must not be called while it runs: none of these calls the
// service back for anything but a part of the file.
type module struct {
	api.Module
	kept map[string]api.Function
}

func (m *module) ExportedFunction(name string) api.Function {
	if f := m.kept[name]; f != nil {
		return f
	}
	return m.Module.ExportedFunction(name)
}

// keepFunctions puts a module in place of go-pdfium's, which has no option for that.
func keepFunctions(instance pdfium.Pdfium) error {
	implementation := reflect.ValueOf(instance.GetImplementation())
	if implementation.Kind() != reflect.Pointer || implementation.Elem().Kind() != reflect.Struct {
		return errors.New("go-pdfium is another one")
	}
	field := implementation.Elem().FieldByName("Module")
	if !field.IsValid() || !field.CanSet() || field.Type() != reflect.TypeFor[api.Module]() {
		return errors.New("go-pdfium has no module")
	}
	m := &module{Module: field.Interface().(api.Module), kept: map[string]api.Function{}}
	for _, name := range oftenCalled {
		if m.kept[name] = m.Module.ExportedFunction(name); m.kept[name] == nil {
			return errors.New("PDFium has no function " + name)
		}
	}
	field.Set(reflect.ValueOf(m))
	return nil
}
