package help

import (
	"io"
	"strings"

	"paperfs/remote"
	"paperfs/remote/service/reader/view"
)

// Description is the data of a WSDL document.
type Description struct {
	Group      string
	Operations []*remote.Operation // of the group
	Namespace  string
	Address    string // of Group.asmx on this service
	RawTree    bool   // no operation returns a string element
}

// Text reports whether an operation's result is text rather than an element.
func (d Description) Text(op *remote.Operation) bool { return op.Wrapped && !d.RawTree }

// wsdl is a WSDL document that is being written.
type wsdl struct {
	view.Markup
	Description
}

// verbs are those of HTTP that carry an operation without SOAP.
var verbs = []string{"Get", "Post"}

// WSDL writes the WSDL 1.1 description of a group with its SOAP 1.1, SOAP 1.2,
// HTTP GET and HTTP POST bindings.
func WSDL(w io.Writer, d Description) error {
	doc := wsdl{Description: d}
	doc.Add(`<?xml version="1.0" encoding="utf-8"?>
<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/" xmlns:http="http://schemas.xmlsoap.org/wsdl/http/" xmlns:mime="http://schemas.xmlsoap.org/wsdl/mime/" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:tns="{}" targetNamespace="{}">`, d.Namespace, d.Namespace)
	doc.types()
	doc.messages()
	for _, verb := range verbs {
		doc.messagesOf(verb)
	}
	doc.port("Soap")
	for _, verb := range verbs {
		doc.port("Http" + verb)
	}
	doc.soap("Soap", "soap")
	doc.soap("Soap12", "soap12")
	for _, verb := range verbs {
		doc.http(verb)
	}
	doc.service()
	doc.Line(`</wsdl:definitions>
`)
	_, err := w.Write(doc.Markup)
	return err
}

// types has the elements of requests and answers.
func (d *wsdl) types() {
	d.Line(`  <wsdl:types>
    <xs:schema elementFormDefault="qualified" targetNamespace="{}">`, d.Namespace)
	for _, op := range d.Operations {
		d.Line(`      <xs:element name="{}">
        <xs:complexType>
          <xs:sequence>`, op.Name)
		for _, name := range params(op) {
			d.Line(`            <xs:element minOccurs="0" maxOccurs="1" name="{}" type="xs:string" />`, name)
		}
		d.Line(`          </xs:sequence>
        </xs:complexType>
      </xs:element>
      <xs:element name="{}Response">
        <xs:complexType>
          <xs:sequence>
            <xs:element minOccurs="0" maxOccurs="1" name="{}Result"`, op.Name, op.Name)
		if d.Text(op) {
			d.Add(` type="xs:string" />`)
		} else {
			d.Add(`>
              <xs:complexType mixed="true">
                <xs:sequence>
                  <xs:any processContents="lax" />
                </xs:sequence>
              </xs:complexType>
            </xs:element>`)
		}
		d.Line(`          </xs:sequence>
        </xs:complexType>
      </xs:element>`)
	}
	d.Line(`      <xs:element name="string" nillable="true" type="xs:string" />
    </xs:schema>
  </wsdl:types>`)
}

// messages has the requests and answers by SOAP.
func (d *wsdl) messages() {
	for _, op := range d.Operations {
		d.Line(`  <wsdl:message name="{}SoapIn">
    <wsdl:part name="parameters" element="tns:{}" />
  </wsdl:message>
  <wsdl:message name="{}SoapOut">
    <wsdl:part name="parameters" element="tns:{}Response" />
  </wsdl:message>`, op.Name, op.Name, op.Name, op.Name)
	}
}

// messagesOf has those by a verb.
func (d *wsdl) messagesOf(verb string) {
	for _, op := range d.Operations {
		d.Line(`  <wsdl:message name="{}Http{}In">`, op.Name, verb)
		for _, name := range params(op) {
			d.Line(`    <wsdl:part name="{}" type="xs:string" />`, name)
		}
		d.Line(`  </wsdl:message>
  <wsdl:message name="{}Http{}Out">
    <wsdl:part name="Body"`, op.Name, verb)
		if d.Text(op) {
			d.Add(` element="tns:string"`)
		}
		d.Add(` />
  </wsdl:message>`)
	}
}

// port has the port type of a way: the operations with their messages.
func (d *wsdl) port(way string) {
	d.Line(`  <wsdl:portType name="{}{}">`, d.Group, way)
	for _, op := range d.Operations {
		d.Line(`    <wsdl:operation name="{}">
      <wsdl:input message="tns:{}{}In" />
      <wsdl:output message="tns:{}{}Out" />
    </wsdl:operation>`, op.Name, op.Name, way, op.Name, way)
	}
	d.Line(`  </wsdl:portType>`)
}

// soap has the binding of a version of SOAP.
func (d *wsdl) soap(way string, prefix view.HTML) {
	d.Line(`  <wsdl:binding name="{}{}" type="tns:{}Soap">
    <{}:binding transport="http://schemas.xmlsoap.org/soap/http" />`, d.Group, way, d.Group, prefix)
	for _, op := range d.Operations {
		d.Line(`    <wsdl:operation name="{}">
      <{}:operation soapAction="{}{}" style="document" />
      <wsdl:input>
        <{}:body use="literal" />
      </wsdl:input>
      <wsdl:output>
        <{}:body use="literal" />
      </wsdl:output>
    </wsdl:operation>`, op.Name, prefix, d.Namespace, op.Name, prefix, prefix)
	}
	d.Line(`  </wsdl:binding>`)
}

// http has the binding of a verb.
func (d *wsdl) http(verb string) {
	content := view.HTML(`<http:urlEncoded />`)
	if verb == "Post" {
		content = `<mime:content type="application/x-www-form-urlencoded" />`
	}
	d.Line(`  <wsdl:binding name="{}Http{}" type="tns:{}Http{}">
    <http:binding verb="{}" />`, d.Group, verb, d.Group, verb, strings.ToUpper(verb))
	for _, op := range d.Operations {
		d.Line(`    <wsdl:operation name="{}">
      <http:operation location="/{}" />
      <wsdl:input>
        {}
      </wsdl:input>
      <wsdl:output>
        <mime:mimeXml part="Body" />
      </wsdl:output>
    </wsdl:operation>`, op.Name, op.Name, content)
	}
	d.Line(`  </wsdl:binding>`)
}

// service has the addresses.
func (d *wsdl) service() {
	d.Line(`  <wsdl:service name="{}">
    <wsdl:port name="{}Soap" binding="tns:{}Soap">
      <soap:address location="{}" />
    </wsdl:port>
    <wsdl:port name="{}Soap12" binding="tns:{}Soap12">
      <soap12:address location="{}" />
    </wsdl:port>`, d.Group, d.Group, d.Group, d.Address, d.Group, d.Group, d.Address)
	for _, verb := range verbs {
		d.Line(`    <wsdl:port name="{}Http{}" binding="tns:{}Http{}">
      <http:address location="{}" />
    </wsdl:port>`, d.Group, verb, d.Group, verb, d.Address)
	}
	d.Line(`  </wsdl:service>`)
}
