"""Runs the model in onnxruntime in 32 bits: on every processor, and fast to load."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import onnxruntime
from writeros_plugins.minilm.graph import build_graph
from writeros_plugins.minilm.processor import ProcessorEncoder, load_tokenizer
from writeros_plugins.minilm.weights import WEIGHTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOLDER_OF_WEIGHTS = "session.model_external_initializers_file_folder_path"
WITHOUT_COPIES = "session.disable_prepacking"
"""Weights are multiplied as they are in the file: prepacking them takes longer than embedding a
query, and does not speed up longer texts.
"""
ERRORS_ONLY = 3


def open_session(model: bytes, folder: Path | None = None) -> Any:
    """Return a session of onnxruntime that computes a batch on the core that calls it.

    `folder` has the weights to which the model refers.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = ERRORS_ONLY
    if folder is not None:
        options.add_session_config_entry(FOLDER_OF_WEIGHTS, str(folder))
        options.add_session_config_entry(WITHOUT_COPIES, "1")
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def load_onnx(folder: Path) -> ProcessorEncoder:
    """Load the model from the folder with its weights."""
    weights = (folder / WEIGHTS).resolve()  # the hub's cache has links, which are not followed
    session = open_session(build_graph(weights), weights.parent)

    def network(ids: NDArray[np.int32]) -> NDArray[np.float32]:
        places = np.arange(ids.shape[1], dtype=np.int32)
        hidden: NDArray[np.float32] = session.run(None, {"ids": ids, "places": places})[0]
        return hidden

    return ProcessorEncoder(load_tokenizer(folder), network)
