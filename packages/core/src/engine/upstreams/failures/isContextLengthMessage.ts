/** Recognizes messages about an exceeded context length, because few providers have an error code for it. */

const phrases: ReadonlyArray<RegExp> = [
  // OpenAI, Azure, vLLM, DeepSeek, Together, OpenRouter.
  /maximum context length/i,
  /context[ _-]?(?:length|window|size|limit)[^.]{0,40}(?:exceed|too (?:long|large|small))/i,
  /(?:exceed|larger than|longer than|too (?:long|large) for)[^.]{0,60}context[ _-]?(?:length|window|size|limit)?/i,
  // Anthropic, Fireworks.
  /prompt is too long/i,
  // xAI.
  /maximum prompt length/i,
  // Gemini.
  /input token count[^.]{0,60}exceeds/i,
  // Mistral.
  /too large for model with \d+ maximum/i,
  // Groq.
  /reduce the length of the (?:messages|prompt|input)/i,
  // TGI and those built on it.
  /`inputs` (?:tokens )?(?:must have less than|\+ `max_new_tokens` must be <=)/i
]

export const isContextLengthMessage = (message: string | undefined): boolean =>
  message !== undefined &&
  phrases.some((phrase) => phrase.test(message.slice(0, maxScannedCharacters)))

/** Messages of upstreams may have any length. */
export const maxScannedCharacters = 2_000
