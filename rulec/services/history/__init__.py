"""Looking back: what rules did and what became of them."""
