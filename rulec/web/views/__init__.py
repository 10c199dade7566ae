"""The pages, one module each: ``ROUTES``, and ``NAV`` (place, path, title) where it stands in the navigation."""
