"""What backends share: clients of the SDKs, agents' CLIs, requests beside each other, JSON out of prose."""
