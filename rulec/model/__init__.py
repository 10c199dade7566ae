"""The words of the project as frozen values; each type points back along the flow."""
