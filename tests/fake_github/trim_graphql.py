"""How `schema.graphql` was made from GitHub's published GraphQL schema.

The schema is `schema.graphql` of the npm package `@octokit/graphql-schema` (the version is written into the file). To
make it anew, unpack that package into a folder and run

    .venv/bin/python -m tests.fake_github.trim_graphql FOLDER

What is kept: the fields of this module's table, with their arguments as published. A field that GitHub has and the
table lacks is refused like one that GitHub does not know.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from graphql import (
    EnumTypeDefinitionNode,
    FieldDefinitionNode,
    InputObjectTypeDefinitionNode,
    InputValueDefinitionNode,
    InterfaceTypeDefinitionNode,
    ObjectTypeDefinitionNode,
    ScalarTypeDefinitionNode,
    parse,
    print_ast,
)

FIELDS = {
    "Query": {"repository", "viewer"},
    "Repository": {"databaseId", "nameWithOwner", "pullRequest"},
    "PullRequest": {"comments", "databaseId", "headRefOid", "number", "state"},
    "IssueCommentConnection": {"edges", "nodes", "pageInfo", "totalCount"},
    "IssueCommentEdge": {"cursor", "node"},
    "IssueComment": {
        "author", "body", "createdAt", "databaseId", "fullDatabaseId", "id", "isMinimized", "updatedAt", "url",
        "viewerDidAuthor",
    },
    "PageInfo": {"endCursor", "hasNextPage", "hasPreviousPage", "startCursor"},
    "Actor": {"login"},
    "Bot": {"databaseId", "login"},
    "User": {"databaseId", "login"},
}  # fmt: skip
OTHERS = {
    "BigInt", "DateTime", "GitObjectID", "IssueCommentOrder", "IssueCommentOrderField", "OrderDirection",
    "PullRequestState", "URI",
}  # fmt: skip


def trim(schema: str) -> str:
    """The used types and fields, without prose and directives."""
    lines = []
    for definition in parse(schema, no_location=True).definitions:
        match definition:
            case ScalarTypeDefinitionNode() if definition.name.value in OTHERS:
                lines.append(f"scalar {definition.name.value}")
            case EnumTypeDefinitionNode() if definition.name.value in OTHERS:
                values = " ".join(each.name.value for each in definition.values or ())
                lines.append(f"enum {definition.name.value} {{ {values} }}")
            case InputObjectTypeDefinitionNode() if definition.name.value in OTHERS:
                values = ", ".join(_argument(each) for each in definition.fields or ())
                lines.append(f"input {definition.name.value} {{ {values} }}")
            case ObjectTypeDefinitionNode() | InterfaceTypeDefinitionNode() if definition.name.value in FIELDS:
                lines += _type(definition)
    return "\n".join(lines) + "\n"


def _type(definition: ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode) -> list[str]:
    name = definition.name.value
    kind = "type" if isinstance(definition, ObjectTypeDefinitionNode) else "interface"
    kept = [each.name.value for each in definition.interfaces or () if each.name.value in FIELDS]
    fields = [f"  {_field(each)}" for each in definition.fields or () if each.name.value in FIELDS[name]]
    missing = FIELDS[name] - {each.name.value for each in definition.fields or ()}
    if missing:
        raise LookupError(f"the published schema has no {name}.{sorted(missing)}")
    return [f"{kind} {name}{' implements ' if kept else ''}{' & '.join(kept)} {{", *fields, "}"]


def _field(field: FieldDefinitionNode) -> str:
    arguments = ", ".join(_argument(each) for each in field.arguments or ())
    return f"{field.name.value}{f'({arguments})' if arguments else ''}: {print_ast(field.type)}"


def _argument(argument: InputValueDefinitionNode) -> str:
    default = f" = {print_ast(argument.default_value)}" if argument.default_value else ""
    return f"{argument.name.value}: {print_ast(argument.type)}{default}"


if __name__ == "__main__":
    package = Path(sys.argv[1])
    version = json.loads((package / "package.json").read_text("utf-8"))["version"]
    text = trim((package / "schema.graphql").read_text("utf-8"))
    (Path(__file__).parent / "schema.graphql").write_text(f"# @octokit/graphql-schema {version}\n{text}", "utf-8")
