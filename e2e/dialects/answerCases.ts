/** The hard cases of answers: what each provider says, and what the caller of a chat gets. */
import type { ChatSummary } from "./askChat.ts"
import { type Json, type NativeAnswer, nativeUsage } from "./NativeAnswer.ts"
import type { ProviderDialect } from "./ProviderDialect.ts"
import { speak } from "./speak.ts"
import { chatChunk, chatDone, chatUsageChunk, toChatUsage } from "./writeChat.ts"
import { geminiAnswer, toGeminiUsage } from "./writeGemini.ts"
import {
  messagesBlock,
  messagesEnd,
  messagesEvent,
  messagesStart,
  toMessagesUsage
} from "./writeMessages.ts"
import { responsesBody, responsesCreated, responsesEnd, responsesEvent } from "./writeResponses.ts"

type Expected = Readonly<Partial<ChatSummary>>

export interface AnswerCase {
  readonly name: string
  /** What the provider says, or why it cannot be said in its API. */
  readonly native: Readonly<Record<ProviderDialect, NativeAnswer | string>>
  readonly expected: Expected
  /** What differs by dialect. */
  readonly by?: Readonly<Partial<Record<ProviderDialect, Expected>>>
  /** What differs in streams. */
  readonly streamed?: Expected
  /** Whether a stream ends without `[DONE]`. */
  readonly isBroken?: boolean
  /** The dialects whose rules the stream breaks, so that it cannot be passed on unchanged. */
  readonly breaks?: ReadonlyArray<ProviderDialect>
  /** Whether the body is sent byte by byte. */
  readonly isCut?: boolean
}

const say = (...text: ReadonlyArray<string>) => ({ text })
const call = (id: string, ...pieces: ReadonlyArray<string>) => ({
  call: { id, name: "look", arguments: pieces }
})
const made = (id: string, text: string): Json => ({ id, name: "look", arguments: text })

/** Only the streams are special. */
const streamOnly = (
  events: Readonly<Record<ProviderDialect, NonNullable<NativeAnswer["events"]> | string>>
): Readonly<Record<ProviderDialect, NativeAnswer | string>> => ({
  chat: typeof events.chat === "string" ? events.chat : { events: events.chat },
  messages: typeof events.messages === "string" ? events.messages : { events: events.messages },
  gemini: typeof events.gemini === "string" ? events.gemini : { events: events.gemini },
  responses: typeof events.responses === "string" ? events.responses : { events: events.responses }
})

const chatCall = (fields: Json, index = 0) =>
  chatChunk({ tool_calls: [{ index, type: "function", ...fields }] })
const chatEnd = [chatUsageChunk(), chatDone]
const toolUse = (id: string, input: Json = {}) => ({ type: "tool_use", id, name: "look", input })
const inputDelta = (partial_json: string) => ({ type: "input_json_delta", partial_json })
const textDelta = (text: string) => ({ type: "text_delta", text })
const functionCall = (id: string, given: string, call_id: string) => ({
  type: "function_call",
  id,
  call_id,
  name: "look",
  arguments: given
})
const added = (output_index: number, item: Json) =>
  responsesEvent("output_item.added", { output_index, item })
const done = (output_index: number, item: Json) =>
  responsesEvent("output_item.done", { output_index, item })
const responsesText = (delta: string) =>
  responsesEvent("output_text.delta", {
    item_id: "msg_0",
    output_index: 0,
    content_index: 0,
    delta
  })
const part = (text: string) => ({ type: "output_text", text, annotations: [] })
const partAdded = responsesEvent("content_part.added", {
  item_id: "msg_0",
  output_index: 0,
  content_index: 0,
  part: part("")
})
const message = (text: string) => ({
  type: "message",
  id: "msg_0",
  role: "assistant",
  status: "completed",
  content: text === "" ? [] : [part(text)]
})

const noPieces = "a call arrives whole, with its arguments as an object"

const calm = { content: "All is calm.", finish: "stop", calls: [] }
const spoken = speak({ said: [say("All ", "is ", "calm.")] })
const usage = {
  prompt_tokens: 20,
  completion_tokens: 9,
  total_tokens: 29,
  prompt_tokens_details: { cached_tokens: 8 },
  completion_tokens_details: { reasoning_tokens: 2 }
}

const overloaded = {
  chat: { error: { code: 503, message: "Overloaded for now" } },
  messages: { type: "error", error: { type: "overloaded_error", message: "Overloaded for now" } },
  gemini: { error: { code: 503, status: "UNAVAILABLE", message: "Overloaded for now" } },
  responses: {
    type: "error",
    code: "server_is_overloaded",
    message: "Overloaded for now",
    param: null
  }
}

/** The two thoughts of case 9 in this format. */
const toDetails = (format: string): ReadonlyArray<Json> =>
  [
    ["First the sea.", "c2VhLXNpZw=="],
    ["Then the sky.", "c2t5LXNpZw=="]
  ].map(([text, signature]) => ({ type: "reasoning.text", text, signature, format }))

export const answerCases: ReadonlyArray<AnswerCase> = [
  {
    name: "1. parallel calls with the same index",
    native: streamOnly({
      chat: [
        chatCall({ id: "a", function: { name: "look", arguments: '{"at":1}' } }),
        chatCall({ id: "b", function: { name: "look", arguments: '{"at":2}' } }),
        chatChunk({}, "tool_calls"),
        ...chatEnd
      ],
      messages: [
        messagesStart(),
        ...messagesBlock(0, toolUse("a"), [inputDelta('{"at":1}')]),
        ...messagesBlock(0, toolUse("b"), [inputDelta('{"at":2}')]),
        ...messagesEnd("tool_use")
      ],
      gemini: [
        {
          data: geminiAnswer(
            [1, 2].map((at) => ({
              functionCall: { id: at === 1 ? "a" : "b", name: "look", args: { at } }
            })),
            "STOP",
            nativeUsage
          )
        }
      ],
      responses: [
        responsesCreated,
        ...(["a", "b"] as const).flatMap((id, at) => [
          added(0, functionCall(`fc_${id}`, "", id)),
          responsesEvent("function_call_arguments.delta", {
            item_id: `fc_${id}`,
            output_index: 0,
            delta: `{"at":${at + 1}}`
          }),
          done(0, functionCall(`fc_${id}`, `{"at":${at + 1}}`, id))
        ]),
        responsesEnd([])
      ]
    }),
    expected: { calls: [made("a", '{"at":1}'), made("b", '{"at":2}')], finish: "tool_calls" },
    breaks: ["messages", "responses"]
  },
  {
    name: "2. pieces of arguments without an id, and with the id again",
    native: streamOnly({
      chat: [
        chatCall({ id: "a", function: { name: "look", arguments: "" } }),
        chatCall({ function: { arguments: '{"at":' } }),
        chatCall({ id: "a", function: { arguments: "1}" } }),
        chatChunk({}, "tool_calls"),
        ...chatEnd
      ],
      messages: [
        messagesStart(),
        ...messagesBlock(0, toolUse("a"), [inputDelta('{"at":'), inputDelta("1}")]),
        ...messagesEnd("tool_use")
      ],
      gemini: noPieces,
      responses: [
        responsesCreated,
        added(0, functionCall("fc_a", "", "a")),
        responsesEvent("function_call_arguments.delta", { output_index: 0, delta: '{"at":' }),
        responsesEvent("function_call_arguments.delta", {
          item_id: "fc_a",
          output_index: 0,
          delta: "1}"
        }),
        responsesEnd([])
      ]
    }),
    expected: { calls: [made("a", '{"at":1}')], finish: "tool_calls" },
    breaks: ["responses"]
  },
  {
    name: "3. all arguments in the first piece",
    native: streamOnly({
      chat: [
        chatCall({ id: "a", function: { name: "look", arguments: '{"at":1}' } }),
        chatChunk({}, "tool_calls"),
        ...chatEnd
      ],
      messages: [
        messagesStart(),
        ...messagesBlock(0, toolUse("a", { at: 1 }), []),
        ...messagesEnd("tool_use")
      ],
      gemini: speak({ said: [call("a", '{"at":1}')] }).gemini.events ?? [],
      responses: [
        responsesCreated,
        added(0, functionCall("fc_a", '{"at":1}', "a")),
        done(0, functionCall("fc_a", '{"at":1}', "a")),
        responsesEnd([functionCall("fc_a", '{"at":1}', "a")])
      ]
    }),
    expected: { calls: [made("a", '{"at":1}')], finish: "tool_calls" }
  },
  {
    name: "4. a call without any arguments",
    native: speak({ said: [call("a")] }),
    expected: { calls: [made("a", "{}")], finish: "tool_calls" }
  },
  {
    name: "5. arguments cut by the cap",
    native: {
      ...speak({ said: [call("a", '{"at":"the s')], end: "length" }),
      gemini: "a call arrives whole, and one that is cut not at all"
    },
    expected: { calls: [made("a", '{"at":"the s')], finish: "length" }
  },
  {
    name: "6. empty deltas, null and nothing",
    native: streamOnly({
      chat: [
        chatChunk({ role: "assistant", content: null }),
        chatChunk({ content: "" }),
        chatChunk({}),
        chatChunk({ content: "All is calm.", tool_calls: [], reasoning: "" }),
        chatChunk({ content: null }, "stop"),
        ...chatEnd
      ],
      messages: [
        messagesStart(),
        messagesEvent("ping"),
        ...messagesBlock(0, { type: "text", text: "" }, [
          textDelta(""),
          textDelta("All is calm."),
          textDelta("")
        ]),
        messagesEvent("nobody_knows_this"),
        ...messagesEnd("end_turn")
      ],
      gemini: [
        { data: geminiAnswer([]) },
        { data: geminiAnswer([{ text: "" }]) },
        { data: { candidates: [{ index: 0 }] } },
        { data: geminiAnswer([{ text: "All is calm." }]) },
        { data: geminiAnswer([{ text: "" }], "STOP", nativeUsage) }
      ],
      responses: [
        responsesCreated,
        responsesEvent("in_progress"),
        added(0, message("")),
        partAdded,
        responsesText(""),
        responsesText("All is calm."),
        responsesEvent("nobody_knows_this"),
        responsesEnd([message("All is calm.")])
      ]
    }),
    expected: { ...calm, reasoning: "", pieces: 1 },
    breaks: ["responses"]
  },
  {
    name: "7. a first chunk with the role alone",
    native: spoken,
    expected: calm,
    streamed: { pieces: 3 }
  },
  {
    name: "8. text, a call, text",
    native: speak({ said: [say("Look"), call("a", '{"at":1}'), say(" there.")] }),
    expected: {
      content: "Look there.",
      calls: [made("a", '{"at":1}')],
      finish: "tool_calls"
    }
  },
  {
    name: "9. thinking between calls",
    native: speak({
      said: [
        { thought: "First the sea.", signature: "c2VhLXNpZw==" },
        call("a", '{"at":1}'),
        { thought: "Then the sky.", signature: "c2t5LXNpZw==" },
        call("b", '{"at":2}')
      ]
    }),
    expected: {
      reasoning: "First the sea.Then the sky.",
      calls: [made("a", '{"at":1}'), made("b", '{"at":2}')],
      finish: "tool_calls"
    },
    by: {
      messages: {
        details: toDetails("anthropic-claude-v1")
      },
      gemini: { details: toDetails("google-gemini-v1") },
      chat: { details: toDetails("unknown") },
      responses: {
        details: [
          { type: "reasoning.summary", summary: "First the sea.", id: "rs_0" },
          { type: "reasoning.encrypted", data: "c2VhLXNpZw==", id: "rs_0" },
          { type: "reasoning.summary", summary: "Then the sky.", id: "rs_2" },
          { type: "reasoning.encrypted", data: "c2t5LXNpZw==", id: "rs_2" }
        ].map((detail) => ({ ...detail, format: "openai-responses-v1" }))
      }
    }
  },
  {
    name: "10. characters cut between pieces of the network",
    native: speak({ said: [say("Alles ruhig: 🌊é漢")] }),
    expected: { content: "Alles ruhig: 🌊é漢", finish: "stop" },
    isCut: true
  },
  {
    name: "11. the halves of a character in two pieces of arguments",
    native: {
      ...speak({ said: [call("a", '{"at":"\\ud83d', '\\ude00"}')] }),
      gemini: noPieces
    },
    expected: { finish: "tool_calls" },
    by: {
      chat: { calls: [made("a", '{"at":"\\ud83d\\ude00"}')] },
      responses: { calls: [made("a", '{"at":"\\ud83d\\ude00"}')] }
    }
  },
  {
    name: "12. a stop sequence",
    native: {
      ...spoken,
      messages: {
        whole: { ...spoken.messages.whole, stop_reason: "stop_sequence", stop_sequence: "END" },
        events: [
          messagesStart(),
          ...messagesBlock(0, { type: "text", text: "" }, [textDelta("All is calm.")]),
          ...messagesEnd("stop_sequence", nativeUsage, "END")
        ]
      },
      responses: "the API has no stop sequences"
    },
    expected: calm,
    by: { messages: { nativeFinish: "stop_sequence" }, gemini: { nativeFinish: "STOP" } }
  },
  {
    name: "13. the cap reached while thinking",
    native: speak({ said: [{ thought: "Hm, the sea" }], end: "length" }),
    expected: { content: "", reasoning: "Hm, the sea", calls: [], finish: "length" }
  },
  {
    name: "14. a refusal before any text",
    native: {
      ...speak({ said: [], end: "content_filter" }),
      gemini: {
        whole: {
          promptFeedback: { blockReason: "SAFETY" },
          usageMetadata: toGeminiUsage(nativeUsage)
        },
        events: [
          {
            data: {
              promptFeedback: { blockReason: "SAFETY" },
              usageMetadata: toGeminiUsage(nativeUsage)
            }
          }
        ]
      }
    },
    expected: { content: "", calls: [], finish: "content_filter", usage }
  },
  {
    name: "15. an error after some text",
    native: streamOnly({
      chat: [chatChunk({ content: "All is" }), { data: overloaded.chat }],
      messages: [
        messagesStart(),
        ...messagesBlock(0, { type: "text", text: "" }, [textDelta("All is")]),
        { event: "error", data: overloaded.messages }
      ],
      gemini: [{ data: geminiAnswer([{ text: "All is" }]) }, { data: overloaded.gemini }],
      responses: [
        responsesCreated,
        added(0, message("")),
        partAdded,
        responsesText("All is"),
        responsesEvent("failed", {
          response: {
            ...responsesBody([message("All is")], "in_progress"),
            status: "failed",
            error: { code: "server_is_overloaded", message: "Overloaded for now" }
          }
        })
      ]
    }),
    expected: { content: "All is", error: { code: 529, message: "" } },
    isBroken: true
  },
  {
    name: "16. an error as the first event of a 200",
    native: {
      chat: { whole: overloaded.chat, events: [{ data: overloaded.chat }] },
      messages: {
        whole: overloaded.messages,
        events: [{ event: "error", data: overloaded.messages }]
      },
      gemini: { whole: overloaded.gemini, events: [{ data: overloaded.gemini }] },
      responses: {
        whole: {
          ...responsesBody([], "in_progress"),
          status: "failed",
          error: { code: "server_is_overloaded", message: "Overloaded for now" }
        },
        events: [{ event: "error", data: overloaded.responses }]
      }
    },
    expected: { content: "", error: { code: 529, message: "" } },
    isBroken: true
  },
  {
    name: "17. the usage after the end",
    native: {
      ...spoken,
      gemini: {
        events: [
          { data: geminiAnswer([{ text: "All is calm." }], "STOP") },
          { data: { usageMetadata: toGeminiUsage(nativeUsage), modelVersion: "acme-native" } }
        ]
      }
    },
    expected: { ...calm, usage }
  },
  {
    name: "18. usage in every event: the last one counts",
    native: streamOnly({
      chat: [
        chatChunk({ content: "All is " }, null, {
          usage: toChatUsage({ ...nativeUsage, completion: 1, reasoning: 0 })
        }),
        chatChunk({ content: "calm." }, null, {
          usage: toChatUsage({ ...nativeUsage, completion: 5, reasoning: 1 })
        }),
        chatChunk({}, "stop", { usage: toChatUsage(nativeUsage) }),
        chatDone
      ],
      messages: [
        messagesStart(toMessagesUsage({ ...nativeUsage, completion: 1, reasoning: 0 })),
        ...messagesBlock(0, { type: "text", text: "" }, [textDelta("All is calm.")]),
        messagesEvent("message_delta", {
          delta: {},
          usage: toMessagesUsage({ ...nativeUsage, completion: 5, reasoning: 1 })
        }),
        ...messagesEnd("end_turn")
      ],
      gemini: [
        {
          data: geminiAnswer([{ text: "All is " }], undefined, {
            ...nativeUsage,
            completion: 1,
            reasoning: 0
          })
        },
        { data: geminiAnswer([{ text: "calm." }], undefined, { ...nativeUsage, completion: 5 }) },
        { data: geminiAnswer([], "STOP", nativeUsage) }
      ],
      responses: "only the last event has usage"
    }),
    expected: { ...calm, usage }
  },
  {
    name: "19. no usage",
    native: speak({ said: [say("All is calm.")], usage: null }),
    expected: calm
  },
  {
    name: "20. the finish reason, but not the last event",
    native: streamOnly({
      chat: [chatChunk({ content: "All is calm." }), chatChunk({}, "stop"), chatUsageChunk()],
      messages: "the API ends with `message_stop`: without it an answer is broken off",
      gemini: "the API has no last event",
      responses: "the API ends with `response.completed`: without it an answer is broken off"
    }),
    expected: calm
  },
  {
    name: "20. no end",
    native: streamOnly({
      chat: [chatChunk({ content: "All is" })],
      messages: [
        messagesStart(),
        ...messagesBlock(0, { type: "text", text: "" }, [textDelta("All is")])
      ],
      gemini: [{ data: geminiAnswer([{ text: "All is" }]) }],
      responses: [responsesCreated, added(0, message("")), partAdded, responsesText("All is")]
    }),
    expected: { content: "All is", error: { code: 502, message: "" } },
    isBroken: true
  },
  {
    name: "29. text given twice",
    native: {
      chat: "a stream has deltas alone",
      messages: "a stream has deltas alone",
      gemini: "a stream has deltas alone",
      // Deltas, the whole part, the whole item, and the whole response.
      responses: { events: speak({ said: [say("All ", "is calm.")] }).responses.events ?? [] }
    },
    expected: { ...calm, pieces: 2 }
  }
]
