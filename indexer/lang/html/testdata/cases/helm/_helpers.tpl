{{/*
Expect: named templates with their comment; the text is no markup.
*/}}
{{- define "chart.name" -}}
{{- default .Chart.Name .Values.name | trunc 63 }}
{{- end }}

{{/* Labels of all objects. */}}
{{- define "chart.labels" -}}
{{ include "chart.name" . }}
{{- if .Values.x }}
a: <b
{{- end }}
{{- end }}
