"""rulec eval: does a corrected mistake stay away?"""
