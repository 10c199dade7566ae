"""What somebody who evaluates rulec would miss: ``pytest evaluation``."""
