/** Answers in OpenAI's chat API, and the chunks that they are made of. */
import {
  type Call,
  findEnd,
  getUsage,
  type Json,
  listCalls,
  listTexts,
  model,
  type NativeAnswer,
  type NativeUsage,
  nativeUsage,
  type SpokenAnswer
} from "./NativeAnswer.ts"

export const toChatUsage = (usage: NativeUsage): Json => ({
  prompt_tokens: usage.prompt,
  completion_tokens: usage.completion,
  total_tokens: usage.prompt + usage.completion,
  prompt_tokens_details: {
    cached_tokens: usage.cached,
    cache_write_tokens: usage.cacheWritten
  },
  completion_tokens_details: { reasoning_tokens: usage.reasoning }
})

export const chatChunk = (delta: Json, finish: string | null = null, rest: Json = {}) => ({
  data: {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model,
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...rest
  }
})

export const chatUsageChunk = (usage: NativeUsage = nativeUsage) => ({
  data: { ...chatChunk({}).data, choices: [], usage: toChatUsage(usage) }
})

export const chatDone = { data: "[DONE]" }

const toChatCall = ({ arguments: pieces, id, name }: Call): Json => ({
  id,
  type: "function",
  function: { name, arguments: pieces.join("") }
})

const toChatThought = (thought: string, signature: string | undefined, index: number): Json => ({
  reasoning: thought,
  reasoning_details: [
    {
      type: "reasoning.text",
      text: thought,
      ...(signature === undefined ? undefined : { signature }),
      format: "unknown",
      index
    }
  ]
})

export const writeChat = (answer: SpokenAnswer): NativeAnswer => {
  const usage = getUsage(answer)
  const texts = listTexts(answer)
  const calls = listCalls(answer)
  const thoughts = answer.said.flatMap((each) => ("thought" in each ? [each] : []))
  const details = thoughts.flatMap(
    ({ signature, thought }, at) =>
      toChatThought(thought, signature, at)["reasoning_details"] as ReadonlyArray<Json>
  )
  let callIndex = 0
  let thoughtIndex = 0
  return {
    whole: {
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1_700_000_000,
      model,
      choices: [
        {
          index: 0,
          finish_reason: findEnd(answer),
          message: {
            role: "assistant",
            content: texts.length === 0 ? null : texts.join(""),
            ...(thoughts.length === 0
              ? undefined
              : {
                  reasoning: thoughts.map(({ thought }) => thought).join(""),
                  reasoning_details: details
                }),
            ...(calls.length === 0 ? undefined : { tool_calls: calls.map(toChatCall) })
          }
        }
      ],
      ...(usage === null ? undefined : { usage: toChatUsage(usage) })
    },
    events: [
      chatChunk({ role: "assistant", content: "" }),
      ...answer.said.flatMap((each) => {
        if ("text" in each) return each.text.map((content) => chatChunk({ content }))
        if ("thought" in each) {
          return [chatChunk(toChatThought(each.thought, each.signature, thoughtIndex++))]
        }
        const { arguments: pieces, id, name } = each.call
        const index = callIndex++
        return [
          chatChunk({
            tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }]
          }),
          ...pieces.map((piece) =>
            chatChunk({ tool_calls: [{ index, function: { arguments: piece } }] })
          )
        ]
      }),
      chatChunk({}, findEnd(answer)),
      ...(usage === null ? [] : [chatUsageChunk(usage)]),
      chatDone
    ]
  }
}
