/** Parameters of Decisions for models that think, whose thoughts count toward the cap of an answer. */

export const thinkingParameters: ReadonlyArray<string> = [
  "max_tokens",
  "reasoning",
  "structured_outputs"
]
