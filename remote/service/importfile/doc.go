// Package importfile reads the XML file that fills a tenant: for tests, and for
// people who come from another system.
//
// The shapes are those of the operations that read the same things, so what
// such an operation answered can be pasted in. All of it is optional but an
// address (or an id that exists here) for each category and paper:
//
//	<import>
//	  <fields>                                      as GetCustomFieldDefinitions
//	    <field name="Season" datatype="string" />
//	  </fields>
//	  <category url="/garden/" name="Garden tools"> as GetAllPapers; categories and papers may lie in categories
//	    <settings>                                  elements as in GetSetting
//	      <language>de</language>
//	    </settings>
//	    <paper url="/garden/spring-2031/" name="Spring 2031"
//	           publicationperiod-from="2031-03-01 06:00:00" publicationperiod-to="2031-05-31 22:00:00"
//	           lastprocessed="2031-02-11 16:40:09" pdffilesize="8120">
//	      <settings><autoMaximize>true</autoMaximize></settings>
//	      <customfields>                            as SearchPapersByCustomFields
//	        <field name="Season">Spring</field>
//	        <field name="Editor" null="True" />
//	      </customfields>
//	      <pages>                                   as GetPaperStructure
//	        <page number="1" part-of-index="True">
//	          <text>Spring is here. Rakes from 9.</text>
//	          <images>
//	            <image type="Zoom" file-size="412" url="https://images.example/1.jpg" />
//	          </images>
//	        </page>
//	      </pages>
//	      <root>                                    as GetLinks
//	        <link number="1"><number>1</number><x>0.125</x><y>0.5</y>…</link>
//	      </root>
//	      <orders>                                  as GetFlipbookOrdersByType
//	        <order orderId="Zk81qP" orderDate="2031-04-02 09:15:00" checkoutType="CheckoutByPrint">
//	          <orderLine>
//	            <productId>RK-7</productId><productName>Rake</productName><productDescription />
//	            <productPrice>29,25</productPrice><amount>2</amount>
//	          </orderLine>
//	        </order>
//	      </orders>
//	      <processes>                               as GetProcessingPapers, with GUID and status
//	        <process guid="8e0c…" created="2031-02-11 16:39:50" status="Completed" progress="100" />
//	      </processes>
//	    </paper>
//	  </category>
//	</import>
//
// A category or paper is found by url, or by id where there is no url; an id
// beside a url is taken for that of another system and ignored, and so are page
// ids and the counts and totals of orders. If no node has the url, it
// is made, with the categories above it that are missing; name is used only
// then and is the last segment of the url where it is absent.
//
// The file replaces what it contains: all pages of the paper, all its links, the order of
// the same id, the job of the same GUID, the value of the field or setting, the
// period. All else stays. Times are UTC, booleans true or false in any
// case, prices and coordinates have a comma or a point. An element or attribute
// that is not described here is an error, and so is a document type.
package importfile
