"""Erring records: values that a reader does not see."""

from agent.records.record_replies import ExtractReply
from evals.skill.rates import Chance, Skill

__all__ = ("forgetful",)


def forgetful(right: ExtractReply, skill: Skill, chance: Chance) -> ExtractReply:
    """Leave values out of the records at the skill's rate; what stands in them is right."""
    records = [
        record.model_copy(
            update={
                "cells": [
                    cell
                    for place, cell in enumerate(record.cells)
                    if not chance.hits(skill.extraction, "extract", number, place)
                ]
            }
        )
        for number, record in enumerate(right.records)
    ]
    return right.model_copy(update={"records": records})
