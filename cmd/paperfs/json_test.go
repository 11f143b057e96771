package main

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/doctor"
	"paperfs/fs/control"
	"paperfs/fs/inode"
)

// TestTheTopicNamesEachFieldOfJSON compares `paperfs help scripts` with the types: names, types, and optional fields.
func TestTheTopicNamesEachFieldOfJSON(t *testing.T) {
	t.Parallel()
	page := topicText("scripts")
	row := regexp.MustCompile(`(?m)^ {4}(\S+) +(\w+\??)(?: |$)`)
	for heading, value := range map[string]any{
		"paperfs status --json MOUNTPOINT":         control.Status{},
		"paperfs status --local --json MOUNTPOINT": []control.Local{},
		"paperfs stat --json PATH":                 inode.Description{},
		"paperfs doctor --json":                    []doctor.Finding{},
	} {
		_, part, found := strings.Cut(page, "## "+heading+"\n")
		require.True(t, found, heading)
		part, _, _ = strings.Cut(part, "\n## ")
		var told []string
		for _, match := range row.FindAllStringSubmatch(part, -1) {
			told = append(told, match[1]+" "+match[2])
		}
		require.Equal(t, jsonFields(reflect.TypeOf(value), "", ""), told, heading)
	}
}

// jsonFields lists the fields of a type as the topic does. A list that may be
// missing is marked at its first field.
func jsonFields(of reflect.Type, path, mark string) (all []string) {
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	switch {
	case of == reflect.TypeFor[time.Time]():
		return []string{path + " time" + mark}
	case of.Kind() == reflect.Slice:
		return jsonFields(of.Elem(), path+"[]", mark)
	case of.Kind() == reflect.Map:
		return jsonFields(of.Elem(), path+".NAME", mark)
	case of.Kind() != reflect.Struct:
		name := strings.TrimRight(of.Kind().String(), "0123456789")
		words := map[string]string{"int": "integer", "uint": "integer", "float": "number", "bool": "boolean", "string": "string"}
		return []string{path + " " + words[name] + mark}
	}
	for i := range of.NumField() {
		name, options, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		if options != "" {
			mark = "?"
		}
		all = append(all, jsonFields(of.Field(i).Type, strings.TrimPrefix(path+"."+name, "."), mark)...)
		mark = ""
	}
	return all
}
