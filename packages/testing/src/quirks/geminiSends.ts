/** What Gemini sends in its own API. */
import { lookEast, lookWest } from "./chatFragments.ts"
import type { Json, SendsQuirk } from "./Quirk.ts"
import { signatures } from "./signatures.ts"

const thoughtSignature = signatures.gemini

const usageMetadata = {
  promptTokenCount: 20,
  candidatesTokenCount: 4,
  thoughtsTokenCount: 5,
  totalTokenCount: 29
}
const counted = { prompt: 20, completion: 9 }

const answer = (candidate: Json, usage: Json = usageMetadata): Json => ({
  candidates: [{ index: 0, ...candidate }],
  usageMetadata: usage,
  modelVersion: "gemini-3-flash-preview",
  responseId: "r-1"
})

const say = (parts: ReadonlyArray<Json>, finishReason?: string): Json =>
  answer({
    content: { role: "model", parts },
    ...(finishReason === undefined ? undefined : { finishReason })
  })

/** Both forms are made of the same objects; a stream has one event for each. */
const both = (...answers: readonly [Json, ...ReadonlyArray<Json>]) => ({
  whole: answers[0],
  events: answers.map((data) => ({ data }))
})

const failed =
  "The caller gets an error, or another endpoint's answer; no empty answer, and no charge."

export const geminiSends: ReadonlyArray<SendsQuirk> = [
  {
    id: "gemini.calls-without-ids",
    kind: "sends",
    providers: ["gemini"],
    dialect: "gemini",
    what: "Calls may have no id, and an answer with calls ends with `STOP`.",
    source: "https://github.com/quarkiverse/quarkus-langchain4j/pull/1271",
    handling: "Each call gets an id, and every caller the reason that its API has for calls.",
    ...both(
      say(
        [
          { functionCall: { name: "look", args: { at: "east" } } },
          { functionCall: { name: "look", args: { at: "west" } } }
        ],
        "STOP"
      )
    ),
    expected: { calls: [lookEast, lookWest], usage: counted }
  },
  {
    id: "gemini.signed-call",
    kind: "sends",
    providers: ["gemini"],
    dialect: "gemini",
    what: "Of several calls only the first has a `thoughtSignature`.",
    source: "https://github.com/google/adk-go/pull/764",
    handling: "Every caller gets it in the words of its API, and it goes back to its call.",
    ...both(
      say(
        [
          { functionCall: { name: "look", args: { at: "east" } }, thoughtSignature },
          { functionCall: { name: "look", args: { at: "west" } } }
        ],
        "STOP"
      )
    ),
    expected: { calls: [lookEast, lookWest] }
  },
  {
    id: "gemini.signed-empty-text",
    kind: "sends",
    providers: ["gemini"],
    dialect: "gemini",
    what: "The signature of an answer may come at its end, in a part with an empty text.",
    source: "https://github.com/google/adk-go/pull/442",
    handling: "No caller gets an empty text; the signature goes back.",
    whole: say([{ text: "ab" }, { text: "", thoughtSignature }], "STOP"),
    events: [
      { data: say([{ text: "a" }]) },
      { data: say([{ text: "b" }]) },
      { data: say([{ text: "", thoughtSignature }], "STOP") }
    ],
    expected: { text: "ab", usage: counted }
  },
  {
    id: "gemini.thoughts-apart",
    kind: "sends",
    providers: ["gemini"],
    dialect: "gemini",
    what: "`candidatesTokenCount` is without `thoughtsTokenCount`.",
    source: "https://github.com/UKGovernmentBEIS/inspect_ai/issues/5528",
    handling: "The completion includes the thoughts, for the charge and for every caller.",
    ...both(say([{ text: "plan", thought: true }, { text: "ab" }], "STOP")),
    expected: { text: "ab", thinking: "plan", usage: counted }
  },
  {
    id: "gemini.malformed-call",
    kind: "sends",
    providers: ["gemini"],
    dialect: "gemini",
    what: "A call that the model did not write well ends an answer without `content`, with `MALFORMED_FUNCTION_CALL`.",
    source: "https://github.com/0xPlaygrounds/rig/pull/1030",
    handling: failed,
    ...both(
      answer({
        finishReason: "MALFORMED_FUNCTION_CALL",
        finishMessage: "Malformed function call: look("
      })
    ),
    expected: { error: 502 }
  },
  {
    id: "gemini.malformed-call-empty-content",
    kind: "sends",
    providers: ["gemini"],
    dialect: "gemini",
    what: "The same with an empty object as `content`.",
    source: "https://github.com/vercel/ai/pull/5039",
    handling: failed,
    ...both(answer({ content: {}, finishReason: "MALFORMED_FUNCTION_CALL" })),
    expected: { error: 502 }
  },
  {
    id: "gemini.unexpected-call",
    kind: "sends",
    providers: ["gemini"],
    dialect: "gemini",
    what: "A call without any tools ends an answer without `content`, with `UNEXPECTED_TOOL_CALL`.",
    source: "https://github.com/agentjido/req_llm/issues/944",
    handling: failed,
    ...both(answer({ finishReason: "UNEXPECTED_TOOL_CALL" })),
    expected: { error: 502 }
  },
  {
    id: "gemini.cut-before-text",
    kind: "sends",
    providers: ["gemini"],
    dialect: "gemini",
    what: "An answer that was cut before its first token has no `content`.",
    source: "https://github.com/google/generative-ai-docs/issues/235",
    handling: "Every caller gets an empty answer that was cut.",
    ...both(answer({ finishReason: "MAX_TOKENS" })),
    expected: { finish: "length" }
  },
  {
    id: "gemini.blocked-prompt",
    kind: "sends",
    providers: ["gemini"],
    dialect: "gemini",
    what: "A blocked prompt is a 200 without candidates, with `promptFeedback.blockReason`.",
    source: "https://github.com/simonw/llm-gemini/pull/144",
    handling: "An answer of the content filter in every API.",
    ...both({
      promptFeedback: { blockReason: "PROHIBITED_CONTENT" },
      usageMetadata: { promptTokenCount: 20, totalTokenCount: 20 },
      modelVersion: "gemini-3-flash-preview"
    }),
    expected: { finish: "content_filter" }
  }
]
