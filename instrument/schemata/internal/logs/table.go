package logs

import (
	"go/types"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// Kind is what a call has to do with logs, metrics and traces.
type Kind uint8

// The kinds.
const (
	Other    Kind = iota
	Writes        // it writes a log, a metric or a trace, and nothing else
	Builds        // its result serves to write one, and nothing else
	Asks          // it has no effect; its result may serve for anything
	Ends          // it writes a log, and does not return
	Reserves      // it reserves space
)

// row names functions of a package, or methods of one of its types. "*" stands for all
// that no other row of the type names.
type row struct {
	path  string // import path without the element of a major version
	recv  string // type of the methods; "" for functions
	kind  Kind
	names string // separated by spaces
}

// modules are the tables, by the module: code of the module itself is not judged by its
// table, since what it writes is its purpose.
//
// The names are those of the documentation of the packages, as "go doc" shows it: the
// standard library of Go 1.26, and the newest release of each module; go-metrics/compat is of
// release 0.5.4, and methods that moved from one type to another stand with both. These are the modules
// for logs, metrics and traces that the most modules import, by pkg.go.dev, and those that
// the modules of github.com/hashicorp and k8s.io use.
var modules = map[string][]row{
	"log": {
		{"log", "", Writes, "Print Printf Println Output"},
		{"log", "", Ends, "Fatal Fatalf Fatalln Panic Panicf Panicln"},
		{"log", "", Asks, "Default Flags Prefix Writer"},
		{"log", "Logger", Writes, "Print Printf Println Output"},
		{"log", "Logger", Ends, "Fatal Fatalf Fatalln Panic Panicf Panicln"},
		{"log", "Logger", Asks, "Flags Prefix Writer"},
		{"log/slog", "", Writes, "Debug DebugContext Error ErrorContext Info InfoContext Log LogAttrs Warn WarnContext"},
		{"log/slog", "", Builds, "Any Bool Duration Float64 Group Int Int64 String Time Uint64 With " +
			"AnyValue BoolValue DurationValue Float64Value GroupValue Int64Value IntValue StringValue TimeValue Uint64Value"},
		{"log/slog", "", Asks, "Default"},
		{"log/slog", "Logger", Writes, "Debug DebugContext Error ErrorContext Info InfoContext Log LogAttrs Warn WarnContext"},
		{"log/slog", "Logger", Builds, "With WithGroup"},
		{"log/slog", "Logger", Asks, "Enabled Handler"},
		{"log/slog", "Handler", Asks, "Enabled"},
	},
	"expvar": {
		{"expvar", "Int", Writes, "Add Set"},
		{"expvar", "Float", Writes, "Add Set"},
		{"expvar", "String", Writes, "Set"},
		{"expvar", "Map", Writes, "Add AddFloat"},
	},
	"runtime": {
		{"runtime/trace", "", Writes, "Log Logf"},
		{"runtime/trace", "", Builds, "StartRegion"},
		{"runtime/trace", "", Asks, "IsEnabled"},
		{"runtime/trace", "Region", Writes, "End"},
		{"runtime/trace", "Task", Writes, "End"},
		{"runtime/debug", "", Writes, "PrintStack"},
		{"runtime/debug", "", Asks, "Stack"},
	},
	"testing": {
		{"testing", "common", Writes, "Helper Log Logf"},
		{"testing", "TB", Writes, "Helper Log Logf"},
		{"testing", "common", Asks, "Name"},
		{"testing", "TB", Asks, "Name"},
		{"testing", "", Asks, "Testing Verbose"},
	},
	"strings": {{"strings", "Builder", Reserves, "Grow"}},
	"bytes":   {{"bytes", "Buffer", Reserves, "Grow"}},

	"go.uber.org/zap": {
		{"go.uber.org/zap", "Logger", Writes, "Debug Info Warn Error Sync"},
		{"go.uber.org/zap", "Logger", Builds, "Check Named Sugar With WithLazy WithOptions"},
		{"go.uber.org/zap", "Logger", Ends, "DPanic Panic Fatal"},
		{"go.uber.org/zap", "Logger", Asks, "Core Level Name"},
		{
			"go.uber.org/zap", "SugaredLogger", Writes, "Debug Debugf Debugln Debugw Info Infof Infoln Infow " +
				"Warn Warnf Warnln Warnw Error Errorf Errorln Errorw Sync",
		},
		{"go.uber.org/zap", "SugaredLogger", Builds, "Desugar Named With WithLazy WithOptions"},
		{"go.uber.org/zap", "SugaredLogger", Ends, "DPanic DPanicf DPanicln DPanicw Panic Panicf Panicln Panicw Fatal Fatalf Fatalln Fatalw"},
		{"go.uber.org/zap", "SugaredLogger", Asks, "Level"},
		{
			"go.uber.org/zap", "", Builds, "Any Array Binary Bool Boolp Bools ByteString ByteStrings Complex128 Complex128p Complex128s " +
				"Complex64 Complex64p Complex64s Dict Duration Durationp Durations Error Errors Float32 Float32p Float32s Float64 Float64p " +
				"Float64s Inline Int Int16 Int16p Int16s Int32 Int32p Int32s Int64 Int64p Int64s Int8 Int8p Int8s Intp Ints NamedError " +
				"Namespace Object ObjectValues Objects Reflect Skip Stack StackSkip String Stringer Stringers Stringp Strings Time Timep " +
				"Times Uint Uint16 Uint16p Uint16s Uint32 Uint32p Uint32s Uint64 Uint64p Uint64s Uint8 Uint8p Uint8s Uintp Uintptr " +
				"Uintptrp Uintptrs Uints",
		},
		{"go.uber.org/zap", "", Asks, "L S NewNop"},
		{"go.uber.org/zap", "AtomicLevel", Asks, "Enabled Level"},
		{"go.uber.org/zap/zapcore", "CheckedEntry", Writes, "Write"},
		{"go.uber.org/zap/zapcore", "LevelEnabler", Asks, "Enabled"},
		{"go.uber.org/zap/zapcore", "Level", Asks, "Enabled"},
	},
	"github.com/rs/zerolog": {
		{"github.com/rs/zerolog", "Event", Writes, "Msg Msgf Send"},
		{"github.com/rs/zerolog", "Event", Asks, "Enabled"},
		{"github.com/rs/zerolog", "Event", Builds, "*"},
		{"github.com/rs/zerolog", "Context", Builds, "*"},
		{"github.com/rs/zerolog", "Array", Builds, "*"},
		{"github.com/rs/zerolog", "Logger", Writes, "Print Printf Println"},
		{"github.com/rs/zerolog", "Logger", Builds, "Debug Err Error Hook Info Level Log Sample Trace Warn With"},
		{"github.com/rs/zerolog", "Logger", Ends, "Fatal Panic"},
		{"github.com/rs/zerolog", "Logger", Asks, "GetLevel"},
		{"github.com/rs/zerolog", "", Builds, "Arr Dict"},
		{"github.com/rs/zerolog", "", Asks, "Ctx GlobalLevel Nop"},
		{"github.com/rs/zerolog/log", "", Writes, "Print Printf"},
		{"github.com/rs/zerolog/log", "", Builds, "Debug Err Error Hook Info Level Log Sample Trace Warn With"},
		{"github.com/rs/zerolog/log", "", Ends, "Fatal Panic"},
		{"github.com/rs/zerolog/log", "", Asks, "Ctx"},
	},
	"github.com/sirupsen/logrus": {
		{"github.com/sirupsen/logrus", "", Writes, logrusWrites},
		{"github.com/sirupsen/logrus", "", Builds, logrusBuilds},
		{"github.com/sirupsen/logrus", "", Ends, logrusEnds},
		{"github.com/sirupsen/logrus", "", Asks, "GetLevel IsLevelEnabled StandardLogger"},
		{"github.com/sirupsen/logrus", "Logger", Writes, logrusWrites},
		{"github.com/sirupsen/logrus", "Logger", Builds, logrusBuilds},
		{"github.com/sirupsen/logrus", "Logger", Ends, logrusEnds},
		{"github.com/sirupsen/logrus", "Logger", Asks, "GetLevel IsLevelEnabled"},
		{"github.com/sirupsen/logrus", "Entry", Writes, logrusWrites},
		{"github.com/sirupsen/logrus", "Entry", Builds, logrusBuilds},
		{"github.com/sirupsen/logrus", "Entry", Ends, logrusEnds},
		{"github.com/sirupsen/logrus", "FieldLogger", Writes, "Warning Warningf Warningln " + logrusBefore},
		{"github.com/sirupsen/logrus", "FieldLogger", Builds, "WithError WithField WithFields"},
		{"github.com/sirupsen/logrus", "FieldLogger", Ends, logrusEnds},
		{"github.com/sirupsen/logrus", "Ext1FieldLogger", Writes, "Trace Tracef Traceln"},
		{"github.com/sirupsen/logrus", "TraceLogger", Writes, "Trace Tracef Traceln"},
		{"github.com/sirupsen/logrus", "DebugLogger", Writes, "Debug Debugf Debugln"},
		{"github.com/sirupsen/logrus", "InfoLogger", Writes, "Info Infof Infoln"},
		{"github.com/sirupsen/logrus", "WarnLogger", Writes, "Warn Warnf Warnln"},
		{"github.com/sirupsen/logrus", "ErrorLogger", Writes, "Error Errorf Errorln"},
		{"github.com/sirupsen/logrus", "StdLogger", Writes, "Print Printf Println"},
		{"github.com/sirupsen/logrus", "StdLogger", Ends, logrusEnds},
	},
	"github.com/golang/glog": {
		{"github.com/golang/glog", "", Writes, glogWrites + " ErrorContext ErrorContextf InfoContext InfoContextf WarningContext WarningContextf"},
		{"github.com/golang/glog", "", Ends, glogEnds},
		{"github.com/golang/glog", "", Asks, "V VDepth"},
		{"github.com/golang/glog", "Verbose", Writes, "Info InfoContext InfoContextf InfoDepth Infof Infoln"},
	},
	"k8s.io/klog": {
		{"k8s.io/klog", "", Writes, glogWrites + " ErrorS ErrorSDepth InfoS InfoSDepth"},
		{"k8s.io/klog", "", Ends, glogEnds},
		{"k8s.io/klog", "", Builds, "KObj KObjSlice KObjs KRef LoggerWithName LoggerWithValues"},
		{"k8s.io/klog", "", Asks, "Background FromContext TODO V VDepth"},
		{"k8s.io/klog", "Verbose", Writes, "ErrorS Info InfoDepth InfoS InfoSDepth Infof Infoln"},
		{"k8s.io/klog", "Verbose", Asks, "Enabled"},
	},
	"github.com/go-logr/logr": {
		{"github.com/go-logr/logr", "Logger", Writes, "Error Info"},
		{"github.com/go-logr/logr", "Logger", Builds, "V WithCallDepth WithName WithValues"},
		{"github.com/go-logr/logr", "Logger", Asks, "Enabled GetV"},
		{"github.com/go-logr/logr", "", Asks, "Discard FromContextOrDiscard"},
	},
	"github.com/go-kit/log": {
		{"github.com/go-kit/log", "Logger", Writes, "Log"},
		{"github.com/go-kit/log", "", Builds, "With WithPrefix WithSuffix"},
		{"github.com/go-kit/log/level", "", Builds, "Debug Error Info Warn"},
	},
	"github.com/go-kit/kit": {
		{"github.com/go-kit/kit/log", "", Builds, "With WithPrefix WithSuffix"},
		{"github.com/go-kit/kit/log/level", "", Builds, "Debug Error Info Warn"},
	},
	"github.com/hashicorp/go-hclog": {
		{"github.com/hashicorp/go-hclog", "Logger", Writes, "Debug Error Info Log Trace Warn"},
		{"github.com/hashicorp/go-hclog", "Logger", Builds, "Named ResetNamed With"},
		{"github.com/hashicorp/go-hclog", "Logger", Asks, "GetLevel ImpliedArgs IsDebug IsError IsInfo IsTrace IsWarn Name"},
		{"github.com/hashicorp/go-hclog", "", Asks, "Default L NewNullLogger"},
	},
	"github.com/prometheus/client_golang": {
		{"github.com/prometheus/client_golang/prometheus", "Counter", Writes, "Add Inc"},
		{"github.com/prometheus/client_golang/prometheus", "Gauge", Writes, "Add Dec Inc Set SetToCurrentTime Sub"},
		{"github.com/prometheus/client_golang/prometheus", "Observer", Writes, "Observe"},
		{"github.com/prometheus/client_golang/prometheus", "ExemplarAdder", Writes, "AddWithExemplar"},
		{"github.com/prometheus/client_golang/prometheus", "ExemplarObserver", Writes, "ObserveWithExemplar"},
		{"github.com/prometheus/client_golang/prometheus", "Timer", Writes, "ObserveDuration ObserveDurationWithExemplar"},
		{"github.com/prometheus/client_golang/prometheus", "", Builds, "NewTimer"},
		{"github.com/prometheus/client_golang/prometheus", "CounterVec", Builds, "MustCurryWith With WithLabelValues"},
		{"github.com/prometheus/client_golang/prometheus", "GaugeVec", Builds, "MustCurryWith With WithLabelValues"},
		{"github.com/prometheus/client_golang/prometheus", "HistogramVec", Builds, "MustCurryWith With WithLabelValues"},
		{"github.com/prometheus/client_golang/prometheus", "SummaryVec", Builds, "MustCurryWith With WithLabelValues"},
		{"github.com/prometheus/client_golang/prometheus", "ObserverVec", Builds, "MustCurryWith With WithLabelValues"},
		{"github.com/prometheus/client_golang/prometheus", "MetricVec", Writes, "Delete DeleteLabelValues DeletePartialMatch Reset"},
	},
	"github.com/armon/go-metrics": {
		{"github.com/armon/go-metrics", "", Writes, metricsWrites},
		{"github.com/armon/go-metrics", "Metrics", Writes, metricsWrites},
	},
	"github.com/hashicorp/go-metrics": {
		{"github.com/hashicorp/go-metrics", "", Writes, metricsWrites},
		{"github.com/hashicorp/go-metrics", "Metrics", Writes, metricsWrites},
		{"github.com/hashicorp/go-metrics/compat", "", Writes, metricsWrites},
	},
	"github.com/rcrowley/go-metrics": {
		{"github.com/rcrowley/go-metrics", "Counter", Writes, "Dec Inc"},
		{"github.com/rcrowley/go-metrics", "Gauge", Writes, "Update"},
		{"github.com/rcrowley/go-metrics", "GaugeFloat64", Writes, "Update"},
		{"github.com/rcrowley/go-metrics", "Histogram", Writes, "Update"},
		{"github.com/rcrowley/go-metrics", "Meter", Writes, "Mark"},
		{"github.com/rcrowley/go-metrics", "Timer", Writes, "Update UpdateSince"},
	},
	"go.opentelemetry.io/otel": {
		{"go.opentelemetry.io/otel/trace", "Span", Writes, "AddEvent AddLink End RecordError SetAttributes SetName SetStatus"},
		{"go.opentelemetry.io/otel/trace", "Span", Asks, "IsRecording SpanContext"},
		{"go.opentelemetry.io/otel/trace", "", Asks, "SpanFromContext"},
		{"go.opentelemetry.io/otel/trace", "", Builds, "WithAttributes WithLinks WithNewRoot WithSpanKind WithStackTrace WithTimestamp"},
		{"go.opentelemetry.io/otel/attribute", "", Builds, otelValues + " Stringer"},
		{"go.opentelemetry.io/otel/attribute", "Key", Builds, otelValues},
		{"go.opentelemetry.io/otel/metric", "Int64Counter", Writes, "Add"},
		{"go.opentelemetry.io/otel/metric", "Int64UpDownCounter", Writes, "Add"},
		{"go.opentelemetry.io/otel/metric", "Int64Histogram", Writes, "Record"},
		{"go.opentelemetry.io/otel/metric", "Int64Gauge", Writes, "Record"},
		{"go.opentelemetry.io/otel/metric", "Float64Counter", Writes, "Add"},
		{"go.opentelemetry.io/otel/metric", "Float64UpDownCounter", Writes, "Add"},
		{"go.opentelemetry.io/otel/metric", "Float64Histogram", Writes, "Record"},
		{"go.opentelemetry.io/otel/metric", "Float64Gauge", Writes, "Record"},
		{"go.opentelemetry.io/otel/metric", "", Builds, "WithAttributeSet WithAttributes"},
	},
	"go.opencensus.io": {
		{"go.opencensus.io/trace", "Span", Writes, "AddAttributes AddLink AddMessageReceiveEvent AddMessageSendEvent Annotate Annotatef End SetName SetStatus"},
		{"go.opencensus.io/trace", "Span", Asks, "IsRecordingEvents SpanContext"},
		{"go.opencensus.io/trace", "", Asks, "FromContext"},
		{"go.opencensus.io/trace", "", Builds, "BoolAttribute Float64Attribute Int64Attribute StringAttribute"},
		{"go.opencensus.io/stats", "", Writes, "Record"},
		{"go.opencensus.io/stats", "Float64Measure", Builds, "M"},
		{"go.opencensus.io/stats", "Int64Measure", Builds, "M"},
	},
	"github.com/DataDog/datadog-go": {
		{"github.com/DataDog/datadog-go/statsd", "Client", Writes, datadogWrites},
		{"github.com/DataDog/datadog-go/statsd", "ClientInterface", Writes, datadogWrites},
	},
	"github.com/cactus/go-statsd-client": {
		{"github.com/cactus/go-statsd-client/statsd", "Client", Writes, cactusWrites},
		{"github.com/cactus/go-statsd-client/statsd", "StatSender", Writes, cactusWrites},
	},
}

// Names that several types have.
const (
	logrusWrites = "Debug Debugf Debugln Error Errorf Errorln Info Infof Infoln Print Printf Println " +
		"Trace Tracef Traceln Warn Warnf Warning Warningf Warningln Warnln"
	// Methods that older releases declare for the interface itself.
	logrusBefore = "Debug Debugf Debugln Error Errorf Errorln Info Infof Infoln Print Printf Println Warn Warnf Warnln"
	logrusBuilds = "WithContext WithError WithField WithFields WithTime"
	logrusEnds   = "Fatal Fatalf Fatalln Panic Panicf Panicln"

	glogWrites = "Error ErrorDepth Errorf Errorln Flush Info InfoDepth Infof Infoln Warning WarningDepth Warningf Warningln"
	glogEnds   = "Exit ExitDepth Exitf Exitln Fatal FatalDepth Fatalf Fatalln"

	metricsWrites = "AddSample AddSampleWithLabels EmitKey IncrCounter IncrCounterWithLabels MeasureSince MeasureSinceWithLabels SetGauge SetGaugeWithLabels"
	otelValues    = "Bool BoolSlice Float64 Float64Slice Int Int64 Int64Slice IntSlice String StringSlice"
	datadogWrites = "Count Decr Distribution Event Gauge Histogram Incr ServiceCheck Set SimpleEvent SimpleServiceCheck TimeInMilliseconds Timing"
	cactusWrites  = "Dec Gauge GaugeDelta Inc Raw Set SetInt Timing TimingDuration"
)

// known is what the tables say of one function or method.
type known struct {
	kind   Kind
	module string
}

// name names a function or method in the tables.
type name struct{ path, recv, name string }

var table = sync.OnceValue(func() map[name]known {
	all := make(map[name]known)
	for module, rows := range modules {
		for _, r := range rows {
			for n := range strings.FieldsSeq(r.names) {
				all[name{r.path, r.recv, n}] = known{r.kind, module}
			}
		}
	}
	return all
})

// major is the element of a major version in an import path.
var major = regexp.MustCompile(`/v[0-9]+(/|$)`)

// tabled returns what the tables say of a function that code of a package calls.
func tabled(fn *types.Func, caller string) Kind {
	n := name{major.ReplaceAllString(fn.Pkg().Path(), "$1"), typing.ReceiverName(fn), fn.Name()}
	k, ok := table()[n]
	if !ok {
		n.name = "*"
		k = table()[n]
	}
	if k.kind != Other && (caller == k.module || strings.HasPrefix(caller, k.module+"/")) {
		return Other
	}
	return k.kind
}

// named says whether a list of the user's has a function, by the import path of its package,
// by the last element of that, or by the package's name.
func named(list []string, fn *types.Func) bool {
	of := fn.Name()
	if recv := typing.ReceiverName(fn); recv != "" {
		of = recv + "." + of
	}
	for _, s := range list {
		for _, pkg := range []string{fn.Pkg().Path(), path.Base(fn.Pkg().Path()), fn.Pkg().Name()} {
			if s == pkg+"."+of {
				return true
			}
		}
	}
	return false
}
