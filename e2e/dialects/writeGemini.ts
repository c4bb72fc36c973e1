/** Answers in Google's API. */
import {
  findEnd,
  getUsage,
  type Json,
  model,
  type NativeAnswer,
  type NativeUsage,
  type Saying,
  type SpokenAnswer,
  toInput
} from "./NativeAnswer.ts"

const geminiReasons = {
  stop: "STOP",
  tool_calls: "STOP",
  length: "MAX_TOKENS",
  content_filter: "SAFETY"
} as const

export const toGeminiUsage = (usage: NativeUsage): Json => ({
  promptTokenCount: usage.prompt,
  cachedContentTokenCount: usage.cached,
  candidatesTokenCount: usage.completion - usage.reasoning,
  thoughtsTokenCount: usage.reasoning,
  totalTokenCount: usage.prompt + usage.completion
})

/** A whole answer, or an event of one. */
export const geminiAnswer = (
  parts: ReadonlyArray<Json>,
  finishReason?: string,
  usage: NativeUsage | null = null
): Json => ({
  candidates: [
    {
      index: 0,
      content: { role: "model", parts },
      ...(finishReason === undefined ? undefined : { finishReason })
    }
  ],
  ...(usage === null ? undefined : { usageMetadata: toGeminiUsage(usage) }),
  modelVersion: model,
  responseId: "resp-gemini-1"
})

const toGeminiParts = (saying: Saying): ReadonlyArray<Json> => {
  if ("text" in saying) return saying.text.map((text) => ({ text }))
  if ("thought" in saying) {
    const { signature, thought } = saying
    return [
      {
        text: thought,
        thought: true,
        ...(signature === undefined ? undefined : { thoughtSignature: signature })
      }
    ]
  }
  const { arguments: pieces, id, name } = saying.call
  return [{ functionCall: { id, name, args: toInput(pieces) } }]
}

export const writeGemini = (answer: SpokenAnswer): NativeAnswer => {
  const usage = getUsage(answer)
  const reason = geminiReasons[findEnd(answer)]
  const parts = answer.said.flatMap(toGeminiParts)
  return {
    whole: geminiAnswer(parts, reason, usage),
    events: [
      ...parts.map((part) => ({ data: geminiAnswer([part]) })),
      { data: geminiAnswer([], reason, usage) }
    ]
  }
}
