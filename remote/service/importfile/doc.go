// Package importfile reads the XML file that fills a tenant, for tests and for people who migrate
// from another system.
//
// Its elements have the form of the service's answers about the same things, so that an answer
// can be pasted in. Everything is optional except an address (or an existing id) for each
// category and paper:
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
// A category or paper is found by its url, or by its id if it has no url. An id next to a url
// counts as that of another system and is ignored, as are page ids and the counts and totals of
// orders. If no node has the url, the import creates it, together with missing parent categories.
// Only then does it use the name, which defaults to the last segment of the url.
//
// The file replaces what it contains: all pages of the paper, all its links, the order with the
// same id, the job with the same GUID, the value of the field or setting, the period. Everything
// else stays. Times are UTC, booleans are true or false in any case, prices and coordinates have
// a comma or a point. Elements and attributes that are not described here are errors, and so is a
// document type.
package importfile
