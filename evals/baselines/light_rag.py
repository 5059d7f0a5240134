"""LightRAG as a baseline: its graph, retrieval and prompts, over our texts, embedder and reader."""

import asyncio
import logging
import os
import tempfile
import threading
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from typing import Any, Final

import numpy as np

from agent.errors import HeadcountError, LimitReached, SettingsError
from agent.evidence import Passage
from agent.reasoner import Failure, Prompt, PromptValues
from agent.replies import ReplyModel
from evals.baselines.attempt import Attempt
from evals.baselines.baseline_prompts import AnswerReply
from graphs.asking import SERVES_NOTHING, failed, limit_of
from tools.corpus.chunking.token_counts import token_starts

_TOLD: Final = (
    "Reply in the members asked for below, not in Markdown and without a references section; name "
    "every single thing. The `passage` of a quote is its document's reference_id."
)
_FORM: Final = 1500
"""Tokens that are kept for the form of the reply."""
_UNBOUNDED: Final = 10**6
"""Seconds: the reader bounds its requests itself."""
_ONE_AT_A_TIME: Final = threading.Lock()
"""LightRAG's locks are the process's, and belong to one event loop."""


class TextReply(ReplyModel):
    """What is asked for, as a text."""

    text: str
    """All of it, in the format that the instructions ask for, with its line breaks."""


class EstimatedTokens:
    """LightRAG's tokenizer, by our estimate: a token is the number that its bytes write."""

    def encode(self, content: str) -> list[int]:
        """Return the tokens of a text; `decode` gives it back."""
        cuts = sorted({0, len(content), *token_starts(content, 0, len(content))})
        pieces = (content[start:end].encode(errors="replace") for start, end in pairwise(cuts))
        return [int.from_bytes(b"\1" + each) for each in pieces]

    def decode(self, tokens: Sequence[int]) -> str:
        """Return the text of tokens."""
        return b"".join(each.to_bytes(each.bit_length() // 8 + 1)[1:] for each in tokens).decode()


def require_package() -> str:
    """Return LightRAG's version; raises SettingsError where it is not installed."""
    try:
        return version("lightrag-hku")
    except PackageNotFoundError as error:
        told = "the system 'lightrag' needs LightRAG: pip install 'headcount[lightrag]'"
        raise SettingsError(told) from error


def lightrag(attempt: Attempt) -> None:
    """Build LightRAG's graph of the corpus, retrieve in its mode `mix`, and answer by its prompt.

    Every request goes through the reader's cache and budget: the graph is on each question's bill.
    The texts are cut by LightRAG (1,200 tokens, 100 of them shared with the next piece); a chunk of
    ours that shares a character with a piece in its prompt counts as read.

    Raises:
        SettingsError: LightRAG is not installed.
        ProviderRejected, ProviderUnreachable: so the first request failed that did.
    """
    digest, failures = require_package(), list[Failure]()
    with _ONE_AT_A_TIME, tempfile.TemporaryDirectory(prefix="headcount-lightrag-") as place:
        found = asyncio.run(_retrieved(attempt, place, failures))
    if failures and isinstance(failures[0].error, SERVES_NOTHING):
        raise failures[0].error
    attempt.stopped = limit_of(failures)
    errors = [each.error for each in failures if not isinstance(each.error, LimitReached)]
    attempt.warnings += [f"LightRAG: {failed('', '', each).error}" for each in errors]
    if "prompt" not in found:
        told = found.get("message", "no words to search by")
        attempt.warnings += [] if attempt.stopped else [f"LightRAG retrieved nothing: {told}"]
        return
    corpus, shown, chunks = attempt.context.corpus, dict[int, Passage](), set[int]()
    for piece in found["data"]["chunks"]:
        document, text = piece["document"], piece["content"]
        whole = corpus.document_text(document)
        start = whole.replace("\f", "\n").find(text)  # in vain where an HTML entity was decoded
        span = (start, start + len(text)) if start >= 0 else (0, len(whole))
        chunks.update(corpus.chunks_at(document, *span))
        name, title = corpus.documents[document], corpus.titles[document]
        passage = Passage(chunk=-1, document=name, title=title, start=0, text=whole)
        shown[int(piece["reference_id"])] = passage
    prompt = Prompt(name="answer", digest=digest, text=found["prompt"], values=PromptValues())
    passages = [shown[number] for number in sorted(shown)]
    reply = attempt.send("answer", prompt, AnswerReply, passages)
    attempt.take(reply, passages)
    if not attempt.stopped:
        (attempt.failed if reply is None else attempt.shown).update(chunks)


async def _retrieved(attempt: Attempt, place: str, failures: list[Failure]) -> dict[str, Any]:
    """Return what LightRAG retrieved and, where that is anything, its prompt; list what failed."""
    os.environ.setdefault("PYTHON_DOTENV_DISABLED", "1")  # its import would read a .env into ours
    root, quiet = logging.getLogger(), logging.NullHandler()
    root.addHandler(quiet)  # nano_vectordb would set up everybody's log to tell of each request
    import nano_vectordb  # noqa: F401
    from lightrag import LightRAG, QueryParam
    from lightrag.base import DocStatus
    from lightrag.kg.shared_storage import finalize_share_data
    from lightrag.utils import EmbeddingFunc, Tokenizer

    root.removeHandler(quiet)
    logging.getLogger("lightrag").setLevel(logging.CRITICAL)  # the answer tells what failed
    reader, corpus = attempt.context.reasoner, attempt.context.corpus

    async def asked(ask: Callable[..., Any], *given: object) -> Any:
        try:
            return await asyncio.to_thread(ask, *given)
        except HeadcountError as error:
            failures.append(Failure(error))
            raise

    async def write(
        text: str, system_prompt: str = "", history_messages: Any = (), **_: Any
    ) -> str:
        said = (f"{each['role']}: {each['content']}" for each in history_messages or ())
        whole = "\n\n".join(filter(None, [system_prompt, *said, text]))
        prompt = Prompt(name="lightrag", digest="", text=whole, values=PromptValues())
        reply: TextReply = await asked(reader.ask, prompt, TextReply)
        return reply.text

    async def embed(texts: list[str]) -> Any:
        rows = await asked(corpus.embedder.embed, texts)
        return np.column_stack([rows, ~rows.any(axis=1)])  # no row may be zero: LightRAG divides

    rag = LightRAG(
        working_dir=place,
        workspace="",
        llm_model_func=write,
        embedding_func=EmbeddingFunc(corpus.vectors.dimensions + 1, embed),
        tokenizer=Tokenizer("estimate", EstimatedTokens()),
        default_llm_timeout=_UNBOUNDED,
        default_embedding_timeout=_UNBOUNDED,
    )
    param = QueryParam(mode="mix", only_need_prompt=True, enable_rerank=False, user_prompt=_TOLD)
    room = reader.context_tokens - reader.reply_tokens - _FORM
    param.max_total_tokens = min(param.max_total_tokens, room)
    documents = range(len(corpus.documents))
    try:
        await rag.initialize_storages()
        await rag.ainsert(  # texts without page breaks, which it would take away
            [corpus.document_text(each).replace("\f", "\n") for each in documents],
            ids=[*map(str, documents)],
            file_paths=[name.replace("/", " › ") for name in corpus.documents],
        )
        lost = [*(await rag.doc_status.get_docs_by_statuses([DocStatus.FAILED])).values()]
        if lost:
            told = f"LightRAG left out {len(lost)} of {len(documents)} documents"
            attempt.warnings.append(f"{told}, the first for: {lost[0].error_msg}")
        found: dict[str, Any] = await rag.aquery_llm(attempt.question, param)
        if found.get("data"):
            found["prompt"] = found["llm_response"]["content"]
            for piece in found["data"]["chunks"]:
                stored = await rag.text_chunks.get_by_id(piece["chunk_id"])
                piece["document"] = int(stored["full_doc_id"])
    finally:
        await rag.finalize_storages()
        finalize_share_data()
    return found
