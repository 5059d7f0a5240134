"""How questions are put, for each operation in several ways."""

from collections.abc import Mapping
from typing import Final

__all__ = ("PHRASES",)

PHRASES: Final[Mapping[str, tuple[str, ...]]] = {
    "count": (
        "how many {things} are there?",
        "what is the number of {things}?",
        "count the {things}.",
        "how many {things} does the collection describe?",
    ),
    "list": (
        "list all {things}.",
        "which {things} are there?",
        "name every one of the {things}.",
        "give me the {things}.",
    ),
    "avg": (
        "what is the average {measure} of {things}?",
        "what is the mean {measure} of all {things}?",
        "on average, what is the {measure} of {things}?",
    ),
    "sum": (
        "what is the sum of the {measure} over all {things}?",
        "adding up all {things}, what is the total {measure}?",
        "what is the {measure} of all {things} taken together?",
    ),
    "min": (
        "what is the lowest {measure} of {things}?",
        "what is the minimum {measure} among {things}?",
        "what is the smallest {measure} of any of the {things}?",
    ),
    "max": (
        "what is the highest {measure} of {things}?",
        "what is the maximum {measure} among {things}?",
        "what is the largest {measure} of any of the {things}?",
    ),
    "median": (
        "what is the median {measure} of {things}?",
        "what is the median of the {measure} over all {things}?",
    ),
    "argmax": (
        "which of the {things} {extreme}?",
        "which one of the {things} {extreme}?",
        "among {things}, which {kind} {extreme}?",
    ),
    "argmin": (
        "which of the {things} {extreme}?",
        "which one of the {things} {extreme}?",
        "among {things}, which {kind} {extreme}?",
    ),
    "top-k": (
        "which {count} {things} have the highest {measure}?",
        "what are the top {count} {things} by {measure}?",
        "name the {count} {things} with the highest {measure}.",
    ),
    "count distinct": (
        "how many different {several} are there among the {things}?",
        "how many distinct {several} do the {things} have?",
        "across all {things}, how many different {several} occur?",
    ),
    "most common": (
        "what is the most common {each} among {things}?",
        "which {each} occurs most often among {things}?",
        "what is the most frequent {each} of {things}?",
    ),
    "group count": (
        "for each {each}, how many {things} are there?",
        "how many {things} are there per {each}?",
        "give the number of {things} by {each}.",
    ),
    "group avg": (
        "for each {each}, what is the average {measure} of {things}?",
        "what is the average {measure} of {things} per {each}?",
        "give the mean {measure} of {things} by {each}.",
    ),
    "ratio": (
        "what is the ratio of {first} to {second}?",
        "what is the number of {first} divided by the number of {second}?",
    ),
    "difference": (
        "how many more {first} than {second} are there?",
        "by how much does the number of {first} exceed the number of {second}?",
    ),
    "share": (
        "what share of the {second} are {first}?",
        "of all {second}, what fraction are {first}?",
    ),
}
"""By operation; what stands in braces is filled in from the domain."""
