"""Records that are loaded only where a value of them is read, since most runs have none."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema, to_json


class Later:
    """What pydantic reads, writes and describes a record by, without loading it before there is a value."""

    def __init__(self, module: str, name: str) -> None:
        self._module = module
        self._name = name

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(self._read)

    def __get_pydantic_json_schema__(self, _schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        kind = self.record()
        kind.model_rebuild()
        return handler(kind.__pydantic_core_schema__)

    def record(self) -> type[BaseModel]:
        """The record itself, loaded by now."""
        kind: type[BaseModel] = getattr(import_module(self._module), self._name)
        return kind

    def _read(self, value: Any, info: core_schema.ValidationInfo) -> BaseModel:
        kind = self.record()
        # JSON has no tuples: read as Python, a list would be refused for one.
        return kind.model_validate_json(to_json(value)) if info.mode == "json" else kind.model_validate(value)


def later(module: str, name: str) -> Any:
    """The type of a field for a record that is loaded with its first value.

    Its checks, its JSON and its schema are the record's own. A type checker is to see the record itself, imported under
    `TYPE_CHECKING`.

    Args:
        module: The record's module, in full.
        name: The record's name there.
    """
    return Annotated[Any, Later(module, name)]
