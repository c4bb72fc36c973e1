/**
 * The situations of `situations.ts` as chats meet them, and what differs where an answer comes piece by piece. The
 * last of the sixteen, a caller who leaves, stands in `chatFailover.test.ts` itself.
 */
import type { TokenUsage } from "@signalbox/core/stores"
import { fault, pace, reply, type Step } from "@signalbox/testing"
import { deadline, type Situation, situations } from "./situations.ts"
import type { Scene } from "./Stage.ts"

/** Whether an answer is asked for whole or piece by piece. */
export type Form = "whole" | "streamed"

export interface ChatSituation extends Situation {
  /** In which form it can happen; default: in both. */
  readonly form?: Form
  /** What is said before it, in pieces: then nobody else is asked. Default: nothing. */
  readonly said?: ReadonlyArray<string>
  /**
   * What is charged for what was said: what the provider has stated, or so many tokens of output and those of the
   * request; default: nothing.
   */
  readonly charged?: number | TokenUsage
}

const invalid = { kind: "invalid_answer", alone: 502 } as const
const unreachable = { kind: "unreachable", alone: 502 } as const
const late = { kind: "timeout", alone: 524 } as const

const begun = ["All ", "is "] as const
const streamed = "streamed"
const whole = "whole"

const answer = reply.chat(["All ", "is ", "well."])
const stated = { inputTokens: 7, outputTokens: 2 }
const half: Step = reply.chat(begun, { done: false, usage: stated })

/** What is read of an answer, and of nothing else, is read in another way than a Decision's. */
const isOfChats = ({ name, ways }: Situation): boolean =>
  ways === undefined && !/^1[35]\./.test(name)

/** What shows at once. */
export const chatSituations: ReadonlyArray<ChatSituation> = [
  ...situations.filter(isOfChats),
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
    name: "11. malformed JSON after two pieces",
    ...invalid,
    step: reply.events([
      { data: { choices: [{ index: 0, delta: { content: "All " } }] } },
      { data: { choices: [{ index: 0, delta: { content: "is " } }] } },
      20,
      { data: "{no" }
    ]),
    form: streamed,
    said: begun,
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
    name: "13. line cut after two pieces",
    ...unreachable,
    step: fault.drop("response_body", reply.chat([...begun, 20, "well.", "never"])),
    form: streamed,
    said: begun,
    charged: 2
  },
  {
    name: "13. stream closed in order after two pieces",
    ...invalid,
    step: half,
    form: streamed,
    said: [...begun, ""],
    charged: stated
  },
  {
    name: "14. rate limit after two pieces",
    step: fault.errorEvent(429),
    kind: "rate_limited",
    alone: 429,
    form: streamed,
    said: begun
  },
  {
    name: "14. error after two pieces",
    step: fault.errorEvent(502),
    kind: "server_error",
    alone: 502,
    form: streamed,
    said: begun
  },
  {
    name: "14. error of a choice",
    step: reply.json({ choices: [{ message: {}, error: { code: 502, message: "no" } }] }),
    kind: "server_error",
    alone: 502,
    form: whole
  },
  {
    name: "14. error instead of the first piece",
    step: fault.errorEvent(502, []),
    kind: "server_error",
    alone: 502,
    form: streamed
  }
]

const scene = (settings: NonNullable<Scene["settings"]>): Pick<Situation, "scene"> => ({
  scene: { settings }
})

/** A whole answer has its half of the time there is. */
const ofWhole = { ...late, form: whole, ...scene({ chatDeadlineMillis: 2 * deadline }) } as const
const headers = { ...late, form: streamed, ...scene({ headersDeadlineMillis: deadline }) } as const
const firstPiece = {
  ...late,
  form: streamed,
  ...scene({ firstEventDeadlineMillis: deadline })
} as const
const nextPiece = {
  ...late,
  form: streamed,
  said: begun,
  charged: 2,
  ...scene({ betweenEventsDeadlineMillis: deadline })
} as const

/** What only a deadline ends. */
export const chatSilences: ReadonlyArray<ChatSituation> = [
  { name: "4. silence before the headers", ...ofWhole, step: fault.silent() },
  { name: "4. silence before the headers", ...headers, step: fault.silent() },
  { name: "5. silence after the headers", ...ofWhole, step: fault.silent("response_headers") },
  { name: "5. silence after the headers", ...firstPiece, step: fault.silent("response_headers") },
  {
    name: "5. silence in the middle of the body",
    ...ofWhole,
    step: fault.silent("response_body", answer)
  },
  {
    name: "5. silence after two pieces",
    ...nextPiece,
    step: reply.chat([...begun, 600_000, "well."])
  },
  { name: "6. headers that come too late", ...ofWhole, step: pace.delay(600_000) },
  { name: "6. headers that come too late", ...headers, step: pace.delay(600_000) },
  {
    name: "6. a first piece that comes too late",
    ...firstPiece,
    step: reply.chat([600_000, "late"])
  }
]
