"""Spans of a traced app: one row of question, answer and evidence for each trace.

Names of attributes are those of OpenInference, which Phoenix keeps, and of OpenTelemetry's conventions for generative
AI; the older `gen_ai.prompt.N` of OpenLLMetry is read too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from raggate_action.onboarding.tool_cases import ToolCase, message_text, question_in, text_in

Row = Mapping[str, Any]
_DOCUMENT = re.compile(r"(retrieval\.documents|reranker\.output_documents)\.(\d+)\.(?:document\.)?(content|id)")
_GEN_AI_DOCUMENTS = "gen_ai.retrieval.documents"
_DEEPEST = 8


class _Span(NamedTuple):
    """What a span says.

    Attributes:
        trace, own, parent: Ids; the parent's is empty for a root.
        start: When it began, as it is written: of one file they compare.
        values: Its attributes, flat.
    """

    trace: str
    own: str
    parent: str
    start: str
    values: Mapping[str, Any]


def _spans_of(row: Row) -> Iterator[Row]:
    """A row that is a span, or the spans of an OTLP resource, attributes as a mapping."""
    if "scopeSpans" not in row:
        yield row
    for scope in row.get("scopeSpans", ()):
        for span in scope.get("spans", ()):
            values = {each["key"]: _otlp_value(each.get("value", {})) for each in span.get("attributes", ())}
            yield {**span, "attributes": values}


def _otlp_value(value: Row) -> Any:
    if "arrayValue" in value:
        return [_otlp_value(each) for each in value["arrayValue"].get("values", ())]
    return next(iter(value.values()), None)


def span_traces(rows: Iterable[Row]) -> Iterator[Row]:
    """A row for each trace that has a question: `question`, `answer`, `contexts`; in the order they are met."""
    traces: dict[str, list[_Span]] = {}
    for each in chain.from_iterable(map(_spans_of, rows)):
        span = _span(each)
        if span is not None:
            traces.setdefault(span.trace, []).append(span)
    for spans in traces.values():
        yield _of_trace(sorted(spans, key=lambda span: span.start))


def _span(row: Row) -> _Span | None:
    context = row.get("context")
    ids = context if isinstance(context, dict) else row
    values = dict(_flat("", row.get("attributes") or {}))
    # As a table of spans has them, a column each.
    values |= {name.removeprefix("attributes."): held for name, held in row.items() if name.startswith("attributes.")}
    if not values:
        return None
    trace = ids.get("trace_id", ids.get("traceId", row.get("context.trace_id", "")))
    own = ids.get("span_id", ids.get("spanId", row.get("context.span_id", "")))
    parent = row.get("parent_id", row.get("parentSpanId", row.get("parent_span_id")))
    start = row.get("start_time", row.get("startTimeUnixNano", row.get("start_time_unix_nano", "")))
    return _Span(str(trace), str(own), str(parent or ""), str(start), values)


def _flat(path: str, value: Any, deep: int = 0) -> Iterator[tuple[str, Any]]:
    """Attributes by dotted names, whether they came nested or flat."""
    if isinstance(value, dict) and value and deep < _DEEPEST:
        for name, held in value.items():
            yield from _flat(f"{path}.{name}" if path else str(name), held, deep + 1)
    elif isinstance(value, list) and value and all(isinstance(each, dict) for each in value) and deep < _DEEPEST:
        for place, held in enumerate(value):
            yield from _flat(f"{path}.{place}", held, deep + 1)
    else:
        yield path, value


def _of_trace(spans: list[_Span]) -> dict[str, Any]:
    known = {span.own for span in spans}
    roots = [span for span in spans if span.parent not in known]
    in_order = [*roots, *[span for span in spans if span.parent in known]]
    question = next(filter(None, map(_question, in_order)), "")
    # Of several calls of a model the last one has the answer.
    answers = [*map(_answer, roots), *map(_model_answer, reversed(spans))]
    answer = next((found for found in answers if found not in (None, "")), None)
    row: dict[str, Any] = {"question": question, "answer": answer}
    if any(_is_search(span) for span in spans):
        row["contexts"] = _contexts(spans)
    return row


def _json_value(value: Any) -> Any:
    """A value that is JSON as text, read."""
    if isinstance(value, str) and value.lstrip().startswith(("{", "[", '"')):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


def _question(span: _Span) -> str:
    values = span.values
    found = question_in(_json_value(values.get("input.value")))
    found = found or question_in(_json_value(values.get("gen_ai.input.messages")))
    found = found or text_in(values.get("gen_ai.retrieval.query.text"))
    return found or _last(values, "llm.input_messages", "message.") or _last(values, "gen_ai.prompt", "")


def _last(values: Row, base: str, inner: str) -> str:
    """The last turn that a user wrote, of messages that are attributes each."""
    places = sorted({int(found[1]) for name in values if (found := re.match(rf"{base}\.(\d+)\.", name))}, reverse=True)
    of_user = [each for each in places if values.get(f"{base}.{each}.{inner}role") == "user"]
    return text_in(values.get(f"{base}.{of_user[0]}.{inner}content")) if of_user else ""


def _answer(span: _Span) -> Any:
    """What a span gave back as a whole."""
    found = _json_value(span.values.get("output.value"))
    return found if found not in (None, "") else _model_answer(span)


def _model_answer(span: _Span) -> str:
    values = span.values
    messages = _json_value(values.get("gen_ai.output.messages"))
    if isinstance(messages, list) and messages and isinstance(messages[-1], dict):
        return message_text(messages[-1])
    content = values.get("llm.output_messages.0.message.content", values.get("gen_ai.completion.0.content"))
    return text_in(content)


def _is_search(span: _Span) -> bool:
    return (
        _GEN_AI_DOCUMENTS in span.values
        or any(map(_DOCUMENT.match, span.values))
        or (span.values.get("openinference.span.kind") in {"RETRIEVER", "RERANKER"})
    )


def _contexts(spans: list[_Span]) -> list[dict[str, Any]]:
    """The chunks of all searches, each once; those that a reranker left, where there is one."""
    found: dict[str, list[dict[str, Any]]] = {"retrieval.documents": [], "reranker.output_documents": []}
    for span in spans:
        chunks: dict[tuple[str, int], dict[str, Any]] = {}
        for name, value in span.values.items():
            if place := _DOCUMENT.fullmatch(name):
                key = "text" if place[3] == "content" else "id"
                chunks.setdefault((place[1], int(place[2])), {})[key] = value
        for (stage, _), chunk in sorted(chunks.items()):
            found[stage].append(chunk)
        documents = _json_value(span.values.get(_GEN_AI_DOCUMENTS))
        for each in documents if isinstance(documents, list) else ():
            if isinstance(each, dict):
                found["retrieval.documents"].append(each)
    last = found["reranker.output_documents"] or found["retrieval.documents"]
    return list({json.dumps(chunk, sort_keys=True, default=str): chunk for chunk in last}.values())


def mlflow_span_row(row: Row) -> ToolCase | None:
    """A trace of MLflow: what its root was asked and gave back, and what its retrievers found."""
    data, info = row["data"], row["info"]
    spans = data.get("spans", ()) if isinstance(data, dict) else ()
    roots = [span for span in spans if not span.get("parent_span_id", span.get("parent_id"))]
    root = _mlflow_values(roots[0]) if roots else {}
    question = question_in(root.get("inputs")) or question_in(_json_value(info.get("request_preview")))
    if not question:
        return None
    answer = root.get("outputs")
    found = [_mlflow_values(span) for span in spans]
    documents = [
        each["outputs"] for each in found if each.get("kind") == "RETRIEVER" and isinstance(each["outputs"], list)
    ]
    taken = {"inputs of the root": "question"}
    if answer is None:
        return ToolCase(question, taken=taken)
    reply: dict[str, Any] = {"answer": answer} if isinstance(answer, str) else {"output": answer}
    taken["outputs of the root"] = "answer"
    if documents:
        reply["context" if isinstance(answer, str) else "contexts"] = [chunk for each in documents for chunk in each]
        taken["outputs of retrievers"] = "context"
    return ToolCase(question, "", {}, reply, taken)


def _mlflow_values(span: Row) -> dict[str, Any]:
    values = span.get("attributes") or {}
    return {
        "inputs": _json_value(values.get("mlflow.spanInputs")),
        "outputs": _json_value(values.get("mlflow.spanOutputs")),
        "kind": _json_value(values.get("mlflow.spanType")),
    }
