from collections.abc import Mapping

import pytest

from tests.agent.reasoners.lexical.collections_asked import (
    ASSETS,
    PAPERS,
    PERMITS,
    STANDARDS,
    TRAILS,
    VISITS,
    collection,
)
from tools.corpus.corpus import Corpus


@pytest.fixture(scope="package")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Corpus]:
    """Build the six collections once."""
    texts = {"permits": PERMITS, "papers": PAPERS, "assets": ASSETS, "trails": TRAILS,
             "visits": VISITS, "standards": STANDARDS}  # fmt: skip
    return {name: collection(name, told, tmp_path_factory.mktemp(name))
            for name, told in texts.items()}  # fmt: skip
