package operator

var contextBackground = &Operator{
	Name: "context-background", Group: GroupAll, Extent: Value,
	Doc:     "passes context.Background() instead of a context",
	Example: "fetch(ctx, url) → fetch(context.Background(), url)",
	Inspect: func(s *Site) []Change {
		if s.Kind != Context {
			return nil
		}
		return []Change{{Do: Fresh}}
	},
}
