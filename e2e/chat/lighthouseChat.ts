/** A chat that thinks and calls a tool, through a router in front of a scripted provider. */
import { type Options, Signalbox } from "@signalbox/node"
import { reply, ScriptedUpstream } from "@signalbox/testing"
import { onTestFinished } from "vitest"

/** Ends with the test. */
export const startRouter = async (
  makeOptions: (url: string) => Pick<Options, "models" | "upstreams">
) => {
  const upstream = await ScriptedUpstream.start()
  const instance = await Signalbox.make(makeOptions(upstream.url))
  onTestFinished(async () => {
    await instance.close()
    await upstream.close()
  })
  return { instance, upstream }
}

export const question = { role: "user" as const, content: "What is a lighthouse?" }

/** What a chat asks besides its messages, of a model at this provider. */
export const makeChat = (model: string, provider: string) => ({
  model,
  tools: [
    {
      type: "function" as const,
      function: { name: "look_up", parameters: { type: "object", properties: { word: {} } } }
    }
  ],
  reasoning: { effort: "high" as const },
  provider: { order: [provider] }
})

export const word = '{"word":"lighthouse"}'

interface PromptDetails {
  readonly cached_tokens: number
  readonly cache_write_tokens?: number
}

export const makeThoughtAndCall = (id: string, prompt: PromptDetails) =>
  reply.chat(["Let me ", "look."], {
    reasoning: "A tower, I think.",
    toolCalls: [{ id, name: "look_up", arguments: word }],
    usage: { inputTokens: 20, outputTokens: 9 },
    usageDetails: {
      prompt_tokens_details: { ...prompt },
      completion_tokens_details: { reasoning_tokens: 4 }
    }
  })

export const makeUsage = (prompt: PromptDetails, cost: number) => ({
  prompt_tokens: 20,
  completion_tokens: 9,
  prompt_tokens_details: prompt,
  completion_tokens_details: { reasoning_tokens: 4 },
  cost
})

/** What the chunks say, put together, and the usage of the last. */
export const collectChunks = async (chunks: ReturnType<Signalbox["streamChat"]>) => {
  let content = ""
  let reasoning = ""
  let input = ""
  let usage: unknown
  const details: Array<unknown> = []
  const reasons: Array<unknown> = []
  for await (const chunk of chunks) {
    usage = chunk.usage
    for (const { delta, finish_reason: reason } of chunk.choices) {
      content += delta.content ?? ""
      reasoning += delta.reasoning ?? ""
      for (const call of delta.tool_calls ?? []) input += call.function?.arguments ?? ""
      details.push(...(delta.reasoning_details ?? []))
      if (reason !== null) reasons.push(reason)
    }
  }
  return { content, reasoning, input, reasons, details, usage }
}

/** What `collectChunks` makes of `makeThoughtAndCall`. */
export const thoughtAndCalled = {
  content: "Let me look.",
  reasoning: "A tower, I think.",
  input: word,
  reasons: ["tool_calls"]
}
