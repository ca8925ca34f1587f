module github.com/fuzzmut/fuzzmut/testdata/pairs

go 1.26.0

require (
	github.com/BurntSushi/toml v1.2.0
	github.com/Masterminds/semver/v3 v3.3.0
	github.com/agnivade/levenshtein v1.1.1
	github.com/andybalholm/cascadia v1.3.2
	github.com/antchfx/xmlquery v1.4.4
	github.com/antchfx/xpath v1.3.5
	github.com/beevik/etree v1.5.0
	github.com/bmatcuk/doublestar/v4 v4.10.0
	github.com/buger/jsonparser v1.1.1
	github.com/cockroachdb/apd/v3 v3.2.1
	github.com/docker/go-units v0.3.3
	github.com/dustin/go-humanize v1.0.0
	github.com/ettle/strcase v0.1.1
	github.com/evanphx/json-patch/v5 v5.6.0
	github.com/fxamacker/cbor/v2 v2.9.2
	github.com/go-git/go-git/v5 v5.17.0
	github.com/go-jose/go-jose/v4 v4.1.3
	github.com/go-logfmt/logfmt v0.6.0
	github.com/go-openapi/jsonpointer v0.22.0
	github.com/gobuffalo/flect v1.0.2
	github.com/goccy/go-yaml v1.19.1
	github.com/golang-jwt/jwt/v5 v5.2.1
	github.com/google/uuid v1.3.0
	github.com/gorilla/css v1.0.0
	github.com/gosimple/slug v1.13.1
	github.com/hashicorp/go-version v1.6.0
	github.com/huandu/xstrings v1.4.0
	github.com/iancoleman/strcase v0.2.0
	github.com/itchyny/timefmt-go v0.1.7
	github.com/jinzhu/now v1.1.4
	github.com/kevinburke/ssh_config v1.2.0
	github.com/lestrrat-go/strftime v1.0.6
	github.com/lucasb-eyer/go-colorful v1.2.0
	github.com/magiconair/properties v1.8.5
	github.com/mattn/go-runewidth v0.0.9
	github.com/mattn/go-shellwords v1.0.14
	github.com/microcosm-cc/bluemonday v1.0.26
	github.com/mitchellh/go-wordwrap v1.0.0
	github.com/mr-tron/base58 v1.1.3
	github.com/multiformats/go-varint v0.0.7
	github.com/oklog/ulid/v2 v2.1.1
	github.com/pelletier/go-toml/v2 v2.2.3
	github.com/rivo/uniseg v0.4.6
	github.com/robfig/cron/v3 v3.0.0
	github.com/russellhaering/goxmldsig v1.5.0
	github.com/sahilm/fuzzy v0.1.0
	github.com/segmentio/ksuid v1.0.2
	github.com/sergi/go-diff v1.3.2-0.20230802210424-5b0b94c5c0d3
	github.com/sosodev/duration v1.2.0
	github.com/spf13/cast v1.7.0
	github.com/stoewer/go-strcase v1.3.0
	github.com/subosito/gotenv v1.4.1
	github.com/tdewolff/parse/v2 v2.8.19
	github.com/tidwall/gjson v1.17.0
	github.com/tidwall/jsonc v0.3.2
	github.com/tidwall/match v1.1.1
	github.com/tidwall/pretty v1.2.1
	github.com/tidwall/sjson v1.2.5
	github.com/valyala/fasttemplate v1.2.1
	github.com/xhit/go-str2duration/v2 v2.1.0
	github.com/yuin/goldmark v1.7.16
	golang.org/x/net v0.54.0
	gopkg.in/ini.v1 v1.67.0
	gopkg.in/yaml.v3 v3.0.1
)

require (
	github.com/aymerick/douceur v0.2.0 // indirect
	github.com/go-openapi/swag/jsonname v0.24.0 // indirect
	github.com/golang/groupcache v0.0.0-20241129210726-2c02b8208cf8 // indirect
	github.com/gosimple/unidecode v1.0.1 // indirect
	github.com/jonboulle/clockwork v0.5.0 // indirect
	github.com/kylelemons/godebug v1.1.0 // indirect
	github.com/pjbgf/sha1cd v0.3.2 // indirect
	github.com/pkg/errors v0.9.1 // indirect
	github.com/valyala/bytebufferpool v1.0.0 // indirect
	github.com/x448/float16 v0.8.4 // indirect
	golang.org/x/text v0.37.0 // indirect
)
