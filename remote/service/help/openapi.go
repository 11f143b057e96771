package help

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"paperfs/remote"
	"paperfs/remote/service/answer"
)

// object is one of JSON.
type object map[string]any

// OpenAPI describes operations as a document of OpenAPI 3.0, but for its member servers. [WithServer] adds that.
func OpenAPI(ops []*remote.Operation) ([]byte, error) {
	d := openAPI{object{"Error": object{
		"type": "object", "required": []string{"error"}, "properties": object{"error": text("why there is no answer, for people")},
	}}}
	paths := object{}
	for _, op := range ops {
		paths[op.Path()] = object{"post": d.operation(op)}
	}
	return json.Marshal(object{
		"openapi": "3.0.3",
		"info": object{"title": "Publication management", "version": "2",
			"description": "Send Accept: application/json with each request: otherwise answers are XML. A failure of an operation is HTTP 200 with a code other than SUCCESS. " +
				"Numbers, true and false are taken for text, null as absent. The pages of Paper.asmx and the other groups describe GET, forms and XML."},
		"paths": paths, "components": object{"schemas": d.schemas},
	})
}

// WithServer adds the address of the service to a description.
func WithServer(description []byte, address string) ([]byte, error) {
	servers, err := json.Marshal([]object{{"url": address}})
	return slices.Concat([]byte(`{"servers":`), servers, []byte(","), description[1:]), err
}

// openAPI collects the schemas of a document.
type openAPI struct{ schemas object }

func (d openAPI) operation(op *remote.Operation) object {
	ok := object{answer.JSONType: object{"schema": d.element(op, answer.ShapeOf(op), "Answer")}}
	if op == remote.GetContent {
		ok["application/octet-stream"] = object{"schema": object{"type": "string", "format": "binary"}}
	}
	reads := "Reads only."
	if op.Changes {
		reads = "Changes the publications."
	}
	return object{
		"operationId": op.Name, "tags": []string{op.Group}, "description": fmt.Sprintf("%s Result codes: %s.", reads, codes(op)),
		"requestBody": object{"required": true, "content": d.request(op)},
		"responses": object{
			"200":     object{"description": "the answer, also of a failure", "content": ok},
			"default": object{"description": "no answer of the operation", "content": object{answer.JSONType: object{"schema": ref("Error")}}},
		},
	}
}

// request describes the parameters. What carries a file is a form, or the file goes raw where the service has parameters
// of its own.
func (d openAPI) request(op *remote.Operation) object {
	properties, required := object{}, []string{}
	for _, name := range params(op) {
		properties[name] = text(Format(op, name))
		if !slices.Contains(op.Own, name) && !slices.Contains(op.Optional, name) {
			required = append(required, name)
		}
	}
	schema := object{"schema": object{"type": "object", "required": required, "properties": properties}}
	if op.Bulk == "" {
		return object{answer.JSONType: schema}
	}
	kinds := object{"application/x-www-form-urlencoded": schema}
	if len(op.Own) > 0 {
		raw := maps.Clone(properties)
		raw[op.Bulk] = object{"type": "string", "format": "binary", "description": "the file as it is, with a filename; it is the last part"}
		kinds["multipart/form-data"] = object{"schema": object{"type": "object", "required": required, "properties": raw}}
	}
	return kinds
}

// element describes an element of an answer by a schema of its own, and returns a reference to that.
func (d openAPI) element(op *remote.Operation, s *answer.Shape, name string) object {
	name = op.Name + strings.ToUpper(name[:1]) + name[1:]
	if d.schemas[name] != nil {
		return ref(name)
	}
	properties, required := object{}, []string{}
	schema := object{"type": "object", "properties": properties}
	d.schemas[name] = schema // before its members, which may lead back to it
	for _, m := range s.Members {
		member := text("")
		if m.Of != nil {
			member = d.element(op, m.Of, m.Name)
		}
		if m.List {
			member = object{"type": "array", "items": member}
		}
		properties[m.Name] = member
		if !m.Optional {
			required = append(required, m.Name)
		}
	}
	if len(required) > 0 {
		schema["required"] = required
	}
	if s.Any {
		schema["additionalProperties"] = text("")
	}
	return ref(name)
}

func ref(name string) object { return object{"$ref": "#/components/schemas/" + name} }

func text(description string) object {
	o := object{"type": "string"}
	if description != "" {
		o["description"] = description
	}
	return o
}

func codes(op *remote.Operation) string {
	var all []string
	for _, code := range Sent(op) {
		all = append(all, string(code))
	}
	return strings.Join(all, ", ")
}
