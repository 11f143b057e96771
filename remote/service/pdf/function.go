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

// module caches functions that are called often. go-pdfium looks up a function for each
// call, and wazero then allocates a stack of 10 KB, which costs several times as much as a
// short call itself. Other functions are not cached: their stacks grow with the document.
//
// A cached function must not be called while it runs. This holds: these functions call
// back only to read parts of the file.
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

// keepFunctions replaces go-pdfium's module with one that caches functions. It uses
// reflection because go-pdfium has no option for this.
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
