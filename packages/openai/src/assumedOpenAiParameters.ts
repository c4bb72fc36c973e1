/** What Decisions assume of OpenAI's own models. */

/** All support these; those with reasoning reject `max_tokens`. */
export const assumedOpenAiParameters = ["structured_outputs", "max_completion_tokens"]
