/** What providers sign or seal thoughts with, one for each of them. */
export const signatures = {
  anthropic: "ErUBCkYIBxgCIkD",
  gemini: "Q2lRQmFyZQ==",
  openai: "gAAAAABpMm18nXrFLUlQW"
} as const

/** Whether a provider could not have made this signature: it is missing, or another provider's. */
export const isForeign = (value: unknown, owner: keyof typeof signatures): boolean =>
  typeof value !== "string" ||
  // No provider's has a dot.
  !/^[\w+/=-]+$/.test(value) ||
  Object.entries(signatures).some(([name, signature]) => name !== owner && value === signature)
