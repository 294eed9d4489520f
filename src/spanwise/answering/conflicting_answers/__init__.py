"""An answer that other lines of the same documents contradict: both sides are shown, and none is picked in silence."""
