"""Changes of a rule that may make it decide a noted action as a person wants: enumerated, the narrowest first."""
