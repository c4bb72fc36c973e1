/** A scripted answer that has everything, in any dialect. */
import { reply } from "../src/index.ts"

const lookUp = { id: "call_1", name: "look_up", arguments: '{"word":"lighthouse keeper"}' }
export const halt = { id: "call_2", name: "halt", arguments: "" }

type Report = NonNullable<Parameters<typeof reply.chat>[1]>

export const makeFullAnswer = (report: Report = {}) =>
  reply.chat(["All ", "is ", "well."], {
    reasoning: "Hm.",
    toolCalls: [lookUp, halt],
    usage: { inputTokens: 20, outputTokens: 9 },
    usageDetails: {
      prompt_tokens_details: { cached_tokens: 7 },
      completion_tokens_details: { reasoning_tokens: 2 }
    },
    ...report
  })
