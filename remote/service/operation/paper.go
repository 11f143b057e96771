package operation

import (
	"cmp"
	"errors"
	"net/netip"
	"strings"
	"time"

	"github.com/google/uuid"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/call"
	"paperfs/remote/service/store"
)

func createCategory(c *call.Call, w *answer.Writer) error {
	return createNode(c, w, remote.CategoryNode)
}
func createPaper(c *call.Call, w *answer.Writer) error { return createNode(c, w, remote.PaperNode) }

// createNode answers with the element paper, for a category too (contract, 3.7).
func createNode(c *call.Call, w *answer.Writer, kind remote.NodeKind) error {
	parent, noParent := c.ID("parentID")
	name, noName := displayName("name", c.Param("name"))
	urlName, noURL := urlName(c, "urlName")
	if err := cmp.Or(noParent, noName, noURL); err != nil {
		return err
	}
	var id int64
	err := c.Write(func(tx store.Writer) error {
		up, err := tx.Ancestors(parent)
		if err != nil {
			return err
		}
		if err := c.LeadsTo(up, parent); err != nil {
			return err
		}
		if err := mayBeBelow(&c.Actor, up, urlName); err != nil {
			return err
		}
		if kind == remote.PaperNode {
			err = paperRoom(&c.Actor, tx)
		} else {
			err = shallow(up, 1)
		}
		if err != nil {
			return err
		}
		id, err = tx.AddNode(store.Node{Tenant: c.Tenant.ID, Parent: parent, Kind: kind, Name: name, URLName: urlName})
		return urlTaken(err, urlName)
	})
	if err != nil {
		return err
	}
	c.Message = "Created."
	w.Empty("paper", answer.Int("id", id))
	return nil
}

func urlTaken(err error, urlName string) error {
	if errors.Is(err, store.ErrTaken) {
		return answer.Invalid("The address %s/ is taken in this category.", urlName)
	}
	return err
}

func movePaper(c *call.Call, w *answer.Writer) error {
	source, noSource := c.ID("sourcePaperID")
	destination, noDestination := c.ID("destinationParentID")
	if err := cmp.Or(noSource, noDestination); err != nil {
		return err
	}
	c.Message = "Moved."
	return moveNode(c, w, source, destination, "")
}

func renamePaper(c *call.Call, w *answer.Writer) error {
	id, noID := c.ID("paperID")
	name, err := displayName("name", c.Param("name"))
	var destination int64
	if err == nil && c.Param("destinationParentID") != "" {
		destination, err = c.ID("destinationParentID")
	}
	if err = cmp.Or(noID, err); err != nil {
		return err
	}
	c.Message = "Renamed."
	return moveNode(c, w, id, destination, name)
}

// moveNode gives a node another parent and another name; 0 and "" leave them.
func moveNode(c *call.Call, w *answer.Writer, id, destination int64, name string) error {
	return changeNode(c, w, id, func(tx store.Reader, to *store.Node) error {
		to.Name = cmp.Or(name, to.Name)
		if destination != 0 {
			return moveBelow(c, tx, to, destination)
		}
		if to.Parent == 0 {
			return answer.Invalid("The root cannot be renamed.")
		}
		return nil
	})
}

// moveBelow gives a node another parent if it may have that.
func moveBelow(c *call.Call, tx store.Reader, node *store.Node, destination int64) error {
	up, err := tx.Ancestors(destination)
	if err != nil {
		return err
	}
	if err := c.LeadsTo(up, destination); err != nil {
		return err
	}
	if node.Parent == 0 {
		return answer.Invalid("The root cannot be moved.")
	}
	for _, above := range up {
		if above.ID == node.ID {
			return answer.Invalid("%d cannot be moved below itself.", node.ID)
		}
	}
	if node.Parent == destination {
		return nil
	}
	node.Parent = destination
	if err := mayBeBelow(&c.Actor, up, node.URLName); err != nil {
		return err
	}
	height, err := tx.Height(node.ID, maxDepth)
	if err != nil {
		return err
	}
	return shallow(up, height)
}

func changePaperURL(c *call.Call, w *answer.Writer) error {
	id, err := c.ID("paperID")
	if err != nil {
		return err
	}
	above, segment, ok := cutURL(c.Param("newUrl"))
	if !ok {
		return answer.Invalid("newUrl has to be one segment, %s, or an address that ends with it.", rules.SegmentWords)
	}
	c.Message = "The address is changed."
	return changeNode(c, w, id, func(tx store.Reader, node *store.Node) error {
		if node.Parent == 0 {
			return answer.Invalid("The address of the root cannot be changed.")
		}
		up, err := tx.Ancestors(node.Parent)
		if err != nil {
			return err
		}
		if parent := address.Path(c.Tenant, up); above != "" && !rules.Same(above, parent) {
			return answer.Invalid("newUrl has to be one segment or an address below %s; MovePaper moves.", parent)
		}
		if !rules.Same(segment, node.URLName) {
			err = mayBeBelow(&c.Actor, up, segment)
		}
		node.URLName = segment
		return err
	})
}

// cutURL reads the two forms of newUrl (contract, 3.9): one segment, for which above is
// empty, or a full address. Each may end with a slash.
func cutURL(newURL string) (above, segment string, ok bool) {
	path := strings.TrimSuffix(newURL, "/")
	last := strings.LastIndexByte(path, '/') + 1
	above, segment = path[:last], path[last:]
	return above, segment, rules.Segment(segment) && (above == "" || above[0] == '/')
}

// deletePaper removes a paper or an empty category.
func deletePaper(c *call.Call, w *answer.Writer) error {
	c.Message = "Deleted."
	return deleteThing(c, w, "paperID", func(tx store.Writer, id int64, o call.Condition) error {
		node, err := tx.Node(c.Tenant.ID, id)
		if store.IsNotFound(err) {
			return o.Gone(call.NoNode(id))
		}
		if err == nil {
			err = o.Judge(node.ID, node.Version)
		}
		if err != nil {
			return err
		}
		if node.Parent == 0 {
			return answer.Invalid("The root cannot be deleted.")
		}
		if node.Kind == remote.CategoryNode {
			return deleteCategory(c, tx, id)
		}
		return deleteWithContent(c, tx, id)
	})
}

func deleteCategory(c *call.Call, tx store.Writer, id int64) error {
	has, err := tx.HasChildren(id)
	if err != nil {
		return err
	}
	if has {
		return answer.Invalid("The category is not empty.")
	}
	if by := c.By(); !by.Nothing {
		return tx.KeepNode(id, by)
	}
	return tx.DeleteNode(id)
}

// deleteWithContent deletes a paper with its PDF and images.
func deleteWithContent(c *call.Call, tx store.Writer, id int64) error {
	busy, err := tx.BeingProcessed(id)
	if err != nil {
		return err
	}
	if busy {
		return answer.Invalid("A PDF of this paper is being processed.")
	}
	if err := tx.FailForeign(id, "The paper was deleted while it was pending; an import had brought it."); err != nil {
		return err
	}
	if by := c.By(); !by.Nothing {
		return tx.KeepNode(id, by)
	}
	return endNode(tx, id, tx.DeleteNode)
}

// getPaperStructure answers GetPaperStructure.
func getPaperStructure(c *call.Call, w *answer.Writer) error {
	id, noID := c.ID("paperID")
	text, noText := c.Boolean("includeIndexedText", false)
	if err := cmp.Or(noID, noText); err != nil {
		return err
	}
	return c.Read(func(tx store.Reader) error {
		paper, err := c.LocatedPaper(tx, id)
		if err != nil {
			return err
		}
		url := paper.URL()
		w.Open("paper", answer.Int("id", id), answer.String("name", paper.Name), answer.String("url", url))
		form := answer.PageForm{Text: text, Image: imageAddresses(c, id, url)}
		if text && c.Service.Options.DigitImageTypes {
			form.ImageTypes = address.ImageTypes
		}
		w.Open("pages")
		err = tx.Pages(id, text, func(p store.Page) error { form.Page(w, p); return nil })
		w.Close("pages")
		w.Close("paper")
		return err
	})
}

// imageAddresses returns a function that makes the addresses of a paper's images. The
// addresses of images that this service keeps have a signature, with which anybody can
// see the image for a time.
func imageAddresses(c *call.Call, paper int64, url string) func(page int64, i store.Image) string {
	base := c.Service.Base.Public(c.Request, c.Tenant, url+address.ImageFile)
	expiry := c.Service.Images.Expiry(time.Time{})
	return func(page int64, i store.Image) string {
		if i.Bytes == 0 {
			return i.URL
		}
		return base + c.Service.Images.Query(paper, page, i.Type, expiry)
	}
}

// getLinks answers GetLinks.
func getLinks(c *call.Call, w *answer.Writer) error {
	var links []store.Link
	err := of(c, c.Paper, func(tx store.Reader, n store.Node) (err error) { links, err = tx.Links(n.ID); return err })
	if err != nil {
		return err
	}
	answer.Links(w, links)
	return nil
}

func createPreviewToken(c *call.Call, w *answer.Writer) error {
	id, noID := c.ID("paperID")
	minutes, noMinutes := c.Integer("validityMinutes", 1, rules.MaxPreviewMinutes)
	ip, noIP := canonicalIP(c.Param("ip"))
	if err := cmp.Or(noID, noMinutes, noIP); err != nil {
		return err
	}
	now := c.Service.Now()
	token := store.Token{Token: uuid.NewString(), Node: id, Expires: now.Add(time.Duration(minutes) * time.Minute), IP: ip}
	err := c.Write(func(tx store.Writer) error {
		if _, err := c.Paper(tx, id); err != nil {
			return err
		}
		return tx.AddToken(token, now)
	})
	if err != nil {
		return err
	}
	c.Message = "The token follows."
	w.Scalar("token", token.Token)
	return nil
}

// canonicalIP reads a client address: empty, one IPv4 address or one IPv6 address.
func canonicalIP(text string) (string, error) {
	text = rules.Trim(text)
	if text == "" {
		return "", nil
	}
	ip, err := netip.ParseAddr(text)
	if err != nil || ip.Zone() != "" {
		return "", answer.Invalid("ip has to be empty or one IPv4 or IPv6 address.")
	}
	return ip.Unmap().String(), nil
}

// displayName reads a node's name from the value of a parameter.
func displayName(param, value string) (string, error) {
	name := strings.TrimSpace(value)
	if rules.NodeName(name) != rules.None {
		return "", answer.Invalid("%s has to be 1 to 255 characters, without control characters.", param)
	}
	return name, nil
}

// urlName reads the last segment of a node's address.
func urlName(c *call.Call, param string) (string, error) {
	name := strings.TrimSpace(c.Param(param))
	if !rules.Segment(name) {
		return "", answer.Invalid("%s has to be %s", param, rules.SegmentWords)
	}
	return name, nil
}
