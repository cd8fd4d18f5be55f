"""The pictures of the course: every function takes plain arrays and labels and returns a `Picture`.

This page is the table of contents, in the order in which the course needs them. What is computed for a picture comes
from `attnlib` at the moment it is drawn.
"""

# ruff: noqa: F401, I001 - a table of contents: imported to be found here, in teaching order

from attnlib.plots.picture import Picture
from attnlib.plots.style import ROLES
from attnlib.plots.legend import role_legend
from attnlib.plots.roadmap import road_map
from attnlib.plots.progress import progress_chart
from attnlib.plots.start_here import last_words, in_context, moved
from attnlib.plots.matrices import Matrix, heat_map, equation
from attnlib.plots.vectors import arrows
from attnlib.plots.bars import weight_bars
from attnlib.plots.embeddings import lookup, cosine_histogram, principal_axes, word_map, word_walk
from attnlib.plots.scores import score_matrix, tie, score_views
from attnlib.plots.softmax import softmax_steps, softmax_at, temperature_family, entropy_gallery, entropy_curve
from attnlib.plots.context_vectors import convex_hull, hull_map, weighted_sum, context_at, three_stages
from attnlib.plots.context_vectors import moved_by, share_curves
from attnlib.plots.nearest_neighbours import neighbors_at, neighbor_lists, neighbor_weights
from attnlib.plots.kernel_machines import gaussian_bells, kernel_regression, leave_one_out_curve
from attnlib.plots.memory_retrieval import pixel_letters, flip_pixels, pixel_pictures
from attnlib.plots.memory_retrieval import recall_steps, recall_rate, recall_capacity
from attnlib.plots.views import views_at
from attnlib.plots.scaling import score_spread, scaling_at, head_learning, learning_at, training_curves
from attnlib.plots.projections import three_roles, projected_scores, singular_values
from attnlib.plots.masks import mask_gallery, masked_weights, leak_map
from attnlib.plots.cross_attention import alignment, alignment_at
from attnlib.plots.multi_head import head_cells, head_path, head_gallery, head_at
from attnlib.plots.head_maps import multi_head_map, head_as_map
from attnlib.plots.positions import position_clock, position_table
from attnlib.plots.blocks import curves, two_blocks, cut_model, added_lengths, depth_at
from attnlib.plots.paths import two_roads, reach_curves, reach_at
from attnlib.plots.learning import recall_at
from attnlib.plots.cost import cost_at
from attnlib.plots.interpretability import explanations, explanations_at
from attnlib.plots.a_whole_transformer import sense_maps, sense_map_at, who_calls_whom
