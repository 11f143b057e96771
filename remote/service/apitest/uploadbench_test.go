package apitest

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// BenchmarkUpload passes prepared bodies to the service without a connection.
func BenchmarkUpload(b *testing.B) {
	for _, size := range []int{10 << 10, 64 << 20} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			s := start(b)
			content := make([]byte, size)
			rand.Read(content)
			body := s.credentials(remote.UploadFile).Encode() + "&parentID=0&base64File=" + url.QueryEscape(base64.StdEncoding.EncodeToString(content)) + "&name="
			b.SetBytes(int64(size))
			for i := 0; b.Loop(); i++ {
				r := httptest.NewRequest(http.MethodPost, remote.UploadFile.Path(), strings.NewReader(body+fmt.Sprint(i%1000)))
				r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				w := httptest.NewRecorder()
				s.service.ServeHTTP(w, r)
				require.Contains(b, w.Body.String(), "SUCCESS")
			}
		})
	}
}
