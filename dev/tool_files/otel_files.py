"""Spans of an app as OpenTelemetry writes them: by OpenInference's names as Phoenix has them, and by OTel GenAI's."""

import json
import sys
from pathlib import Path

from common import SAMPLES
from google.protobuf.json_format import MessageToDict
from openinference.instrumentation import (
    get_input_attributes,
    get_output_attributes,
    get_retriever_attributes,
    get_span_kind_attributes,
)
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

out = Path(sys.argv[1])
memory = InMemorySpanExporter()
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(memory))
tracer = provider.get_tracer("desk")
for question, answer, contexts in SAMPLES:
    with tracer.start_as_current_span("ask") as root:
        root.set_attributes(get_span_kind_attributes("chain"))
        root.set_attributes({**get_input_attributes(question), **get_output_attributes(answer)})
        with tracer.start_as_current_span("search") as span:
            documents = [{"id": str(place), "content": text} for place, text in enumerate(contexts)]
            span.set_attributes(get_span_kind_attributes("retriever"))
            span.set_attributes({**get_input_attributes(question), **get_retriever_attributes(documents=documents)})
spans = memory.get_finished_spans()
lines = [json.dumps(json.loads(span.to_json(indent=None))) for span in spans]
(out / "openinference_console.jsonl").write_text("\n".join(lines) + "\n")
otlp = MessageToDict(encode_spans(spans))
(out / "openinference_otlp.json").write_text(json.dumps(otlp, indent=1))
memory.clear()
for question, answer, contexts in SAMPLES:
    with tracer.start_as_current_span("invoke_agent desk") as root:
        root.set_attribute("gen_ai.operation.name", "invoke_agent")
        with tracer.start_as_current_span("retrieval desk") as span:
            span.set_attribute("gen_ai.operation.name", "retrieval")
            span.set_attribute("gen_ai.retrieval.query.text", question)
            found = [{"id": str(place), "content": text} for place, text in enumerate(contexts)]
            span.set_attribute("gen_ai.retrieval.documents", json.dumps(found))
        with tracer.start_as_current_span("chat desk") as span:
            asked = [{"role": "user", "parts": [{"type": "text", "content": question}]}]
            said = [{"role": "assistant", "parts": [{"type": "text", "content": answer}], "finish_reason": "stop"}]
            span.set_attribute("gen_ai.operation.name", "chat")
            span.set_attribute("gen_ai.input.messages", json.dumps(asked))
            span.set_attribute("gen_ai.output.messages", json.dumps(said))
(out / "otel_genai.json").write_text(json.dumps(MessageToDict(encode_spans(memory.get_finished_spans())), indent=1))
