/** How servers of the chat dialect count, keep a stream alive, end it, and report errors in it. */
import { chatAnswer, chatStream, chunk, done, usage, usageChunk } from "./chatFragments.ts"
import type { SendsQuirk } from "./Quirk.ts"

const counted = { prompt: 20, completion: 9 }
const failed =
  "The caller gets an error, or another endpoint's answer while nothing was sent; no empty answer."

export const chatEnds: ReadonlyArray<SendsQuirk> = [
  {
    id: "ollama.empty-finish-reason",
    kind: "sends",
    providers: ["ollama"],
    dialect: "chat",
    what: 'Every chunk before the last one has `finish_reason: ""`.',
    source: "https://github.com/ollama/ollama/issues/4357",
    handling: "Read as none.",
    events: [
      chunk({ role: "assistant", content: "a" }, ""),
      chunk({ content: "b" }, ""),
      chunk({}, "stop"),
      usageChunk,
      done
    ],
    expected: { text: "ab", usage: counted }
  },
  {
    id: "groq.x-groq-usage",
    kind: "sends",
    providers: ["groq"],
    dialect: "chat",
    what: "The usage of a stream is in `x_groq.usage` of its last chunk.",
    source: "https://github.com/vercel/ai/issues/1651",
    handling: "Read there, too; charged, and given to the caller.",
    events: [
      chunk({ role: "assistant", content: "ab" }),
      chunk({}, "stop", {
        x_groq: { id: "req_1", usage: { queue_time: 0.07, prompt_time: 0.006, ...usage } }
      }),
      done
    ],
    expected: { text: "ab", usage: counted }
  },
  {
    id: "moonshot.usage-in-choice",
    kind: "sends",
    providers: ["moonshot"],
    dialect: "chat",
    what: "The usage of a stream is in `choices[0].usage` of its last chunk.",
    source: "https://github.com/earendil-works/pi/issues/2017",
    handling: "Read there, too; charged, and given to the caller.",
    events: [
      chunk({ role: "assistant", content: "ab" }),
      {
        data: {
          id: "1",
          object: "chat.completion.chunk",
          created: 1_700_000_000,
          model: "kimi-k2.6",
          choices: [{ index: 0, delta: {}, finish_reason: "stop", usage }]
        }
      },
      done
    ],
    expected: { text: "ab", usage: counted }
  },
  {
    id: "xai.usage-before-last",
    kind: "sends",
    providers: ["xai"],
    dialect: "chat",
    what: "The usage of a stream is not in the last chunk, which has empty `choices` and no usage.",
    source: "https://github.com/BerriAI/litellm/issues/17136",
    handling: "The last usage counts, wherever it is.",
    events: [
      chunk({ role: "assistant", content: "ab" }),
      chunk({}, "stop", { usage }),
      {
        data: {
          id: "1",
          object: "chat.completion.chunk",
          created: 1_700_000_000,
          model: "grok",
          choices: []
        }
      },
      done
    ],
    expected: { text: "ab", usage: counted }
  },
  {
    id: "xai.reasoning-apart",
    kind: "sends",
    providers: ["xai"],
    dialect: "chat",
    what: "`completion_tokens` is without `reasoning_tokens`, which `total_tokens` includes.",
    source: "https://github.com/Wei-Shaw/sub2api/issues/5771",
    handling: "The completion includes the reasoning, for the charge and for every caller.",
    whole: chatAnswer({ content: "ab" }, "stop", {
      usage: {
        prompt_tokens: 20,
        completion_tokens: 4,
        total_tokens: 29,
        completion_tokens_details: { reasoning_tokens: 5 }
      }
    }),
    events: [
      chunk({ role: "assistant", content: "ab" }),
      chunk({}, "stop"),
      {
        data: {
          id: "1",
          object: "chat.completion.chunk",
          created: 1_700_000_000,
          model: "grok",
          choices: [],
          usage: {
            prompt_tokens: 20,
            completion_tokens: 4,
            total_tokens: 29,
            completion_tokens_details: { reasoning_tokens: 5 }
          }
        }
      },
      done
    ],
    expected: { text: "ab", usage: counted }
  },
  {
    id: "azure.prompt-filter-first",
    kind: "sends",
    providers: ["azure"],
    dialect: "chat",
    what: "A stream begins with a chunk that has empty `choices`, an empty id and `prompt_filter_results`.",
    source: "https://github.com/AbanteAI/archive-old-cli-mentat/issues/429",
    handling: "Read as a sign of life.",
    events: [
      {
        data: {
          id: "",
          object: "",
          created: 0,
          model: "",
          choices: [],
          prompt_filter_results: [
            {
              prompt_index: 0,
              content_filter_results: { hate: { filtered: false, severity: "safe" } }
            }
          ]
        }
      },
      ...chatStream([{ content: "ab" }])
    ],
    expected: { text: "ab", usage: counted }
  },
  {
    id: "azure.choice-without-delta",
    kind: "sends",
    providers: ["azure"],
    dialect: "chat",
    what: "Late chunks have a choice without `delta`, with the results of the content filter.",
    source: "https://github.com/microsoft/autogen/issues/6465",
    handling: "Read as a sign of life.",
    events: [
      chunk({ role: "assistant", content: "ab" }),
      {
        data: {
          id: "",
          object: "",
          created: 0,
          model: "",
          choices: [
            {
              index: 0,
              finish_reason: null,
              content_filter_offsets: { check_offset: 3329, start_offset: 3329, end_offset: 3438 },
              content_filter_results: { hate: { filtered: false, severity: "safe" } }
            }
          ]
        }
      },
      chunk({}, "stop"),
      usageChunk,
      done
    ],
    expected: { text: "ab", usage: counted }
  },
  {
    id: "deepseek.keep-alive",
    kind: "sends",
    providers: ["deepseek"],
    dialect: "chat",
    what: "While a request waits, its stream has comments `: keep-alive`.",
    source: "https://api-docs.deepseek.com/quick_start/rate_limit",
    handling: "Read as a sign of life.",
    events: [
      { comment: "keep-alive" },
      { comment: "keep-alive" },
      ...chatStream([{ content: "ab" }])
    ],
    expected: { text: "ab", usage: counted }
  },
  {
    id: "openrouter.processing",
    kind: "sends",
    providers: ["openrouter"],
    dialect: "chat",
    what: "While a request waits, its stream has comments `: OPENROUTER PROCESSING`.",
    source: "https://github.com/openai/openai-go/issues/227",
    handling: "Read as a sign of life.",
    events: [{ comment: "OPENROUTER PROCESSING" }, ...chatStream([{ content: "ab" }])],
    expected: { text: "ab", usage: counted }
  },
  {
    id: "openrouter.error-without-choices",
    kind: "sends",
    providers: ["openrouter"],
    dialect: "chat",
    what: "A stream with the status 200 may have nothing but an `error` beside empty `choices`.",
    source: "https://github.com/diegosouzapw/OmniRoute/pull/8210",
    handling: failed,
    events: [
      {
        data: {
          id: "gen-1",
          object: "chat.completion.chunk",
          created: 1_700_000_000,
          model: "acme",
          choices: [],
          error: {
            code: 502,
            message: "Worker local total request limit reached (33/32)",
            metadata: { error_type: "provider_unavailable" }
          }
        }
      },
      done
    ],
    expected: { error: 502 }
  },
  {
    id: "openrouter.error-finish",
    kind: "sends",
    providers: ["openrouter"],
    dialect: "chat",
    what: 'A failure after some text is a chunk with `error` and `finish_reason: "error"`.',
    source: "https://github.com/damianvtran/local-operator/pull/223",
    handling: "The caller gets the text so far, and then the error.",
    events: [
      chunk({ role: "assistant", content: "a" }),
      chunk({ content: "" }, "error", {
        error: {
          code: 502,
          message: "Provider disconnected",
          metadata: { error_type: "provider_unavailable" }
        }
      }),
      done
    ],
    expected: { text: "a", error: 502 }
  },
  {
    id: "lmstudio.error-event",
    kind: "sends",
    providers: ["lmstudio"],
    dialect: "chat",
    what: "A failure in a stream is an event with `error.message`, without a type and a code.",
    source: "https://github.com/zendev-sh/goai/pull/110",
    handling: failed,
    events: [
      { event: "error", data: { error: { message: "Compute error." }, message: "Compute error." } }
    ],
    expected: { error: 502 }
  },
  {
    id: "other.error-then-done",
    kind: "sends",
    providers: ["other"],
    dialect: "chat",
    what: "A failure in a stream is an `error` with a message alone, and then the stream ends like a complete one.",
    source: "https://github.com/apache/rocketmq-dashboard/issues/2178",
    handling: failed,
    events: [{ data: { error: { message: "upstream worker is gone" } } }, done],
    expected: { error: 502 }
  }
]
