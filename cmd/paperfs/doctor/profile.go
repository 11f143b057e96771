package doctor

import (
	"fmt"

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"

	"paperfs/cache/state"
	"paperfs/cmd/paperfs/profile"
	"paperfs/cmd/paperfs/serving"
	"paperfs/remote/shellword"
)

// takeProfile selects the profile of the mounted account, unless a flag or the environment
// names a service. If a profile of the same service may be of another account, takeProfile
// only records its name, and does not send its password.
func (v *visit) takeProfile(flags *pflag.FlagSet) {
	c := v.config
	if v.status == nil || v.status.Service.Data != "" || c.URL != "" {
		return
	}
	f, err := profile.Load(c.ProfileFile())
	if err != nil {
		return // another check reports it
	}
	account := serving.Account(v.mount)
	for _, name := range f.Names() {
		p, _ := f.Profile(name)
		url, username := text(p, "url"), c.Username
		if username == "" {
			username = text(p, "username")
		}
		switch {
		case !sameService(url, v.status.Service.URL):
		case account != "" && state.AccountDirs(xdg.StateHome, xdg.CacheHome, url, username).State == account:
			v.profile = name
			v.unsettled = c.ResolveAll(flags, name)
			return
		case v.near == "":
			v.near = name
		}
	}
}

// text returns a setting of a profile if it is a string.
func text(p *profile.Profile, key string) string {
	s, _ := p.Settings[key].Value.(string)
	return s
}

// withoutCredentials says what to do if there are no credentials for the service of a mount.
func (v *visit) withoutCredentials() string {
	option := profile.Option(v.config.ProfileFile())
	switch {
	case v.profile != "":
		return fmt.Sprintf("Run in a terminal, which asks for the password: paperfs doctor%s %s", option, shellword.Quote(v.profile))
	case v.near != "":
		return fmt.Sprintf("If it was mounted from profile %s, run: paperfs doctor%s %s", v.near, option, shellword.Quote(v.near))
	}
	return ""
}
