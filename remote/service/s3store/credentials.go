package s3store

import (
	"errors"

	"github.com/minio/minio-go/v7/pkg/credentials"
)

// findCredentials reads the credentials from the environment (AWS_ACCESS_KEY_ID,
// AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN), or else from the profile AWS_PROFILE in the file
// AWS_SHARED_CREDENTIALS_FILE.
func findCredentials() (*credentials.Credentials, error) {
	found := credentials.NewChainCredentials([]credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}})
	value, err := found.GetWithContext(nil)
	if err != nil || value.AccessKeyID == "" || value.SecretAccessKey == "" {
		return nil, errors.Join(errors.New("there are no credentials for the object store: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, "+
			"or AWS_SHARED_CREDENTIALS_FILE to a file that has them"), err)
	}
	return found, nil
}
