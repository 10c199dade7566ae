"""What transcript formats share: records of JSON, markdown, speakers, tool calls, and turns in the making."""
