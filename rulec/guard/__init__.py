"""Rules and one action of an agent -> findings; pure, and the same in the hook, the gate and the proof."""
