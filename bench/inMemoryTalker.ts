/** Chats in process with a provider in memory, without content filters, with those of another caller, and with the caller's own. */
import type { Options, Signalbox as Instance } from "@signalbox/core"
import type { Upstream } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import * as Effect from "effect/Effect"

const answered = Effect.succeed({
  choices: [
    {
      index: 0,
      answer: { parts: [{ type: "text", text: "It warns ships." }], end: { reason: "stop" } }
    }
  ],
  usage: { inputTokens: 100, outputTokens: 5 }
} as const)

const upstream: Upstream = {
  slug: "alpha",
  name: "Alpha",
  chat: {
    complete: () => answered,
    stream: () => {
      throw new Error("it is not called")
    },
    estimateWorstCase: () => ({ inputTokens: 400, outputTokens: 5 })
  }
}

/** All detectors, and a pattern. */
const filters = {
  content_filter_builtins: (
    [
      "credit-card",
      "email",
      "iban",
      "ip-address",
      "national-id",
      "phone",
      "regex-prompt-injection",
      "secrets",
      "ssn"
    ] as const
  ).map((slug) => ({ slug, action: "redact" as const })),
  content_filters: [{ pattern: "EMP-\\d{5}", action: "redact", label: null }]
} as const

export type FilterUse = "none" | "of others" | "used"

/** Asks with a prompt, as the user that the filters are of or not. `options` are of the instance, `more` of each call. */
export const startTalker = async (
  use: FilterUse,
  options: Partial<Options> = {},
  more: Parameters<Instance["chat"]>[1] = {}
) => {
  const instance: Instance = await Signalbox.make({
    upstreams: [upstream],
    models: [
      {
        id: "bench/talker",
        endpoints: [
          {
            provider: "alpha",
            contextLength: 128_000,
            price: { prompt: "0.000001", completion: "0.000002" }
          }
        ]
      }
    ],
    ...(use === "none" ? undefined : { contentChecks: { "person-name": { find: () => [] } } }),
    ...options
  })
  if (use !== "none") {
    const { data } = await instance.guardrails.create({ name: "filters", ...filters })
    const user = use === "used" ? "ada" : "grace"
    await instance.guardrails.assignMembers({ id: data.id, member_user_ids: [user] })
  }
  const caller = { kind: "member", user: "ada" } as const
  return {
    close: () => instance.close(),
    ask: (content: string): Promise<unknown> =>
      instance.chat(
        { model: "bench/talker", messages: [{ role: "user", content }] },
        { ...more, caller }
      )
  }
}
