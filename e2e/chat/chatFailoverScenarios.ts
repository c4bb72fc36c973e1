/**
 * The scenarios of `failoverScenarios.ts` for whole and streamed chats. The last one, a disconnecting caller, is tested
 * in `chatFailover.test.ts` itself.
 */
import type { TokenUsage } from "@signalbox/core/stores"
import { fault, pace, reply, type Step } from "@signalbox/testing"
import { deadline, type FailoverScenario, failoverScenarios } from "../routing/failoverScenarios.ts"
import type { TestServerOptions } from "../support/TestServer.ts"

/** Whether the request asks for a whole or a streamed answer. */
export type ResponseForm = "whole" | "streamed"

export interface ChatFailoverScenario extends FailoverScenario {
  /** The form in which the failure can occur; default: both. */
  readonly form?: ResponseForm
  /** The chunks before the failure, which rule out a fallback. Default: none. */
  readonly deliveredContent?: ReadonlyArray<string>
  /**
   * The billed usage: the usage that the provider reported, or this number of output tokens besides the prompt.
   * Default: nothing.
   */
  readonly charged?: number | TokenUsage
}

const invalid = { kind: "invalid_answer", alone: 502 } as const
const unreachable = { kind: "unreachable", alone: 502 } as const
const timedOut = { kind: "timeout", alone: 524 } as const

const partialChunks = ["All ", "is "] as const
const streamed = "streamed"
const whole = "whole"

const answer = reply.chat(["All ", "is ", "well."])
const reportedUsage = { inputTokens: 7, outputTokens: 2 }
const partialReply: Step = reply.events([
  ...partialChunks.map((content) => ({ data: { choices: [{ index: 0, delta: { content } }] } })),
  { data: { choices: [], usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 } } }
])

/** Scenarios about the content of an answer differ between chats and Decisions. */
const appliesToChats = ({ name, methods }: FailoverScenario): boolean =>
  methods === undefined && !/^1[35]\./.test(name)

/** Failures that occur without a timeout. */
export const chatFailoverScenarios: ReadonlyArray<ChatFailoverScenario> = [
  ...failoverScenarios.filter(appliesToChats),
  {
    name: "10. a conversation that is too long",
    step: fault.status(400, { kind: "context_length_exceeded" }),
    kind: "context_length",
    answered: 400,
    alone: 400
  },
  {
    name: "11. malformed JSON in a stream",
    ...invalid,
    step: reply.events([{ data: "{no" }]),
    form: streamed
  },
  {
    name: "11. malformed JSON after two chunks",
    ...invalid,
    step: reply.events([
      { data: { choices: [{ index: 0, delta: { content: "All " } }] } },
      { data: { choices: [{ index: 0, delta: { content: "is " } }] } },
      20,
      { data: "{no" }
    ]),
    form: streamed,
    deliveredContent: partialChunks,
    charged: 2
  },
  { name: "12. a stream without an event", ...invalid, step: reply.events([]), form: streamed },
  {
    name: "12. a stream that ends at once",
    ...invalid,
    step: reply.events([{ data: "[DONE]" }]),
    form: streamed
  },
  {
    name: "13. answer shorter than declared",
    ...unreachable,
    step: fault.truncated("length", answer),
    form: whole
  },
  {
    name: "13. answer without its last chunk",
    ...unreachable,
    step: fault.truncated("chunked", answer),
    form: whole
  },
  {
    name: "13. line cut after two chunks",
    ...unreachable,
    step: fault.drop("response_body", reply.chat([...partialChunks, 20, "well.", "never"])),
    form: streamed,
    deliveredContent: partialChunks,
    charged: 2
  },
  {
    name: "13. stream closed normally after two chunks",
    ...invalid,
    step: partialReply,
    form: streamed,
    deliveredContent: partialChunks,
    charged: reportedUsage
  },
  {
    name: "14. rate limit after two chunks",
    step: fault.errorEvent(429),
    kind: "rate_limited",
    alone: 429,
    form: streamed,
    deliveredContent: partialChunks
  },
  {
    name: "14. error after two chunks",
    step: fault.errorEvent(502),
    kind: "server_error",
    alone: 502,
    form: streamed,
    deliveredContent: partialChunks
  },
  {
    name: "14. error of a choice",
    step: reply.json({ choices: [{ message: {}, error: { code: 502, message: "no" } }] }),
    kind: "server_error",
    alone: 502,
    form: whole
  },
  {
    name: "14. error instead of the first chunk",
    step: fault.errorEvent(502, []),
    kind: "server_error",
    alone: 502,
    form: streamed
  }
]

const withSettings = (
  settings: NonNullable<TestServerOptions["settings"]>
): Pick<FailoverScenario, "server"> => ({
  server: { settings }
})

/** The first attempt of a whole answer may take half of the remaining time. */
const completionTimeout = {
  ...timedOut,
  form: whole,
  ...withSettings({ chatTimeoutMillis: 2 * deadline })
} as const
const headersTimeout = {
  ...timedOut,
  form: streamed,
  ...withSettings({ headersTimeoutMillis: deadline })
} as const
const firstEventTimeout = {
  ...timedOut,
  form: streamed,
  ...withSettings({ firstEventTimeoutMillis: deadline })
} as const
const betweenEventsTimeout = {
  ...timedOut,
  form: streamed,
  deliveredContent: partialChunks,
  charged: 2,
  ...withSettings({ streamIdleTimeoutMillis: deadline })
} as const

/** Failures that only a timeout ends. */
export const chatTimeoutScenarios: ReadonlyArray<ChatFailoverScenario> = [
  { name: "4. silence before the headers", ...completionTimeout, step: fault.silent() },
  { name: "4. silence before the headers", ...headersTimeout, step: fault.silent() },
  {
    name: "5. silence after the headers",
    ...completionTimeout,
    step: fault.silent("response_headers")
  },
  {
    name: "5. silence after the headers",
    ...firstEventTimeout,
    step: fault.silent("response_headers")
  },
  {
    name: "5. silence in the middle of the body",
    ...completionTimeout,
    step: fault.silent("response_body", answer)
  },
  {
    name: "5. silence after two chunks",
    ...betweenEventsTimeout,
    step: reply.chat([...partialChunks, 600_000, "well."])
  },
  { name: "6. headers that come too late", ...completionTimeout, step: pace.delay(600_000) },
  { name: "6. headers that come too late", ...headersTimeout, step: pace.delay(600_000) },
  {
    name: "6. a first chunk that comes too late",
    ...firstEventTimeout,
    step: reply.chat([600_000, "late"])
  }
]
