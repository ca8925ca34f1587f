// Package ini reads settings with gopkg.in/ini.v1.
package ini

import "gopkg.in/ini.v1"

// Settings returns all keys with their values, in their order.
func Settings(text string) ([]string, error) {
	file, err := ini.Load([]byte(text))
	if err != nil {
		return nil, err
	}
	var list []string
	for _, section := range file.Sections() {
		for _, key := range section.Keys() {
			list = append(list, section.Name()+"."+key.Name()+"="+key.Value())
		}
	}
	return list, nil
}
