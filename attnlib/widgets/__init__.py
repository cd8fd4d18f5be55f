"""The explorers of the course: a picture of `attnlib.plots` with controls that move it.

This page is the table of contents. Each explorer is a function that returns an `Explorer`; a new one is a function in
`attnlib.plots` that draws one state, and a module here that gives it its controls.
"""

# ruff: noqa: F401, I001 - a table of contents: imported to be found here, in teaching order

from attnlib.widgets.explorer import Explorer, answer
from attnlib.widgets.embeddings import explore_embeddings
from attnlib.widgets.scores import explore_scores
from attnlib.widgets.softmax import explore_softmax
from attnlib.widgets.context_vectors import explore_context
from attnlib.widgets.nearest_neighbours import explore_neighbors
from attnlib.widgets.kernel_machines import explore_bandwidth
from attnlib.widgets.memory_retrieval import explore_recall
from attnlib.widgets.views import explore_views
from attnlib.widgets.scaling import explore_scaling
from attnlib.widgets.training import explore_training
from attnlib.widgets.projections import explore_projections
from attnlib.widgets.masks import explore_mask
from attnlib.widgets.cross_attention import explore_alignment
from attnlib.widgets.split import explore_split
from attnlib.widgets.multi_head import explore_heads
from attnlib.widgets.positions import explore_positions
from attnlib.widgets.blocks import explore_depth
from attnlib.widgets.paths import explore_reach
from attnlib.widgets.learning import explore_learning
from attnlib.widgets.cost import explore_cost
from attnlib.widgets.interpretability import explore_explanations
from attnlib.widgets.a_whole_transformer import explore_meanings
