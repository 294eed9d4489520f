"""Who does what to whom: a sentence cut into clauses, without a treebank."""
