"""What backends share: clients of the SDKs, agents' command lines, requests side by side, JSON out of prose."""
