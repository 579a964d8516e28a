"""The two arms of a comparison, by name."""

from typing import Literal, TypeAlias

ArmName: TypeAlias = Literal["control", "treatment"]
ARMS: tuple[ArmName, ArmName] = ("control", "treatment")
