"""The experiment: tasks are played in fresh repositories, and what came back is measured."""
