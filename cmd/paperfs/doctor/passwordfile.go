package doctor

import (
	"os"

	"paperfs/remote/shellword"
)

// PasswordFile checks who can read a password.
func PasswordFile(path string, named Named) Check {
	return one("password file", func() Finding {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return failure("Check "+named.of("password_file"), "%v", err)
		case info.Mode().Perm()&0o077 != 0:
			return warning("Run: chmod 600 "+shellword.Quote(path), "%s can be read by other users (mode %04o)", path, info.Mode().Perm())
		}
		return fine("%s, readable only by you", path)
	})
}
