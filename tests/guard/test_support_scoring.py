"""The support model as it is shipped."""

from spanwise.guard.support.examine import examine
from spanwise.guard.support.features import FEATURES, features_of
from spanwise.guard.support.model import support_model
from spanwise.text.trees import Tree

SOURCE = "The river rises in the northern hills and flows through three towns before it reaches the sea at Elmsworth."


def test_the_shipped_weights_fit_the_features() -> None:
    model = support_model()
    assert len(model.weights) == len(model.mean) == len(model.scale) == len(FEATURES)
    assert 0 < model.removed_below <= model.supported_from <= model.sure_from < 1
    assert all(feature < len(FEATURES) for tree in model.trees for feature in tree.feature)


def test_a_tree_goes_left_at_most_the_threshold() -> None:
    tree = Tree((0, -1, -1), (0.5, 0.0, 0.0), (1, 0, 0), (2, 0, 0), (0.0, -1.0, 1.0))
    assert [tree.log_odds([value]) for value in (0.4, 0.5, 0.6)] == [-1.0, -1.0, 1.0]


def test_more_of_a_claim_in_the_source_scores_higher() -> None:
    def score(text: str) -> float:
        examined = examine(text, [SOURCE])
        return support_model().score(features_of(examined.held[0], examined.context))

    same = score("The river rises in the northern hills and flows through three towns.")
    partly = score("The river rises in a southern valley and feeds two cold lakes near Brampton.")
    nothing = score("Penguins breed along frozen coasts during winter.")
    assert same > max(partly, nothing)
