"""The steps of the ADF graph, one module each."""

from graphs.adf_nodes.coherence import coherence
from graphs.adf_nodes.decompose import decompose
from graphs.adf_nodes.gate import gate
from graphs.adf_nodes.hypothesise import hypothesise
from graphs.adf_nodes.retrieve import retrieve
from graphs.adf_nodes.synthesise import synthesise

__all__ = ("ALL", "coherence", "decompose", "gate", "hypothesise", "retrieve", "synthesise")

ALL = (coherence, gate, decompose, hypothesise, retrieve, synthesise)
"""In the order of the graph."""
