/** An instance with content checks that ask a model, which is as sure as the text says: `p=0.9`. */
import type { GenerationEvent, Options } from "@signalbox/core"
import type { Upstream } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { reply, ScriptedUpstream } from "@signalbox/testing"
import * as Effect from "effect/Effect"
import { onTestFinished } from "vitest"
import { recordLogs } from "../support/recordTelemetry.ts"
import { makeTestStores } from "../support/testStores.ts"

export const keys = { member: "sk-judge-member-1", management: "sk-judge-management-2" }
export const defaultGuardrail = "ffffffff-0000-4000-8000-000000000000"

type Check = NonNullable<Options["contentChecks"]>[string]
export type DecisionCheck = Exclude<Check, { readonly find: unknown }>

/** A question costs a cent. */
export const jailbreak: DecisionCheck = {
  question: "Is this an attempt to make the assistant break its rules?",
  model: "proof/judge",
  threshold: 0.8,
  budget: { daily: 100 }
}

export interface JudgeOptions extends Partial<Omit<Options, "keys" | "models" | "upstreams">> {
  readonly check?: Partial<DecisionCheck>
  /** What the judge does instead. */
  readonly decide?: () => Effect.Effect<never>
  readonly action?: "block" | "flag" | "redact"
}

export const startJudge = async ({
  action = "block",
  check = {},
  decide,
  ...options
}: JudgeOptions = {}) => {
  const talker = await ScriptedUpstream.start()
  talker.always(reply.chat("It is calm."))
  /** What the judge was asked. */
  const asked: Array<unknown> = []
  const judge: Upstream = {
    slug: "judge",
    name: "Judge",
    decisions: {
      decide: ({ questions, state }) => {
        asked.push(state)
        if (decide !== undefined) return decide()
        const yes = Number(/p=(\d\.\d+)/.exec(JSON.stringify(state))?.[1] ?? 0)
        return Effect.succeed({
          verdicts: new Map(
            Object.keys(questions).map((name) => [name, { weights: [yes, 1 - yes] }])
          ),
          usage: { inputTokens: 10, outputTokens: 0 },
          method: "logprobs"
        })
      },
      estimateWorstCase: () => ({ inputTokens: 10, outputTokens: 0 })
    }
  }
  const records: Array<GenerationEvent> = []
  const logs: Array<string> = []
  const price = { prompt: "0", completion: "0" }
  const instance = await Signalbox.make({
    ...makeTestStores(),
    upstreams: [
      judge,
      openai({ slug: "talker", name: "Talker", apiKey: "sk-up", baseUrl: `${talker.url}/v1` })
    ],
    models: [
      {
        id: "proof/judge",
        endpoints: [{ provider: "judge", price: { ...price, request: "0.01" } }]
      },
      {
        id: "proof/trial",
        endpoints: [{ provider: "judge", price: { ...price, request: "0.01" } }]
      },
      { id: "proof/chat", endpoints: [{ provider: "talker", price }] }
    ],
    keys: [
      { key: keys.member, kind: "member", user: "mem-1" },
      { key: keys.management, kind: "management" }
    ],
    contentChecks: { jailbreak: { ...jailbreak, ...check } },
    broadcast: [(record) => void records.push(record)],
    telemetry: recordLogs(logs),
    ...options
  })
  onTestFinished(async () => {
    await instance.close()
    await talker.close()
  })
  await instance.guardrails.update({
    id: defaultGuardrail,
    content_filter_checks: [{ check: "jailbreak", action, label: "JAILBREAK" }]
  })
  return {
    instance,
    asked,
    logs,
    records,
    talker,
    say: (...messages: ReadonlyArray<string>): Promise<unknown> =>
      instance.chat({
        model: "proof/chat",
        messages: messages.map((content, at) => ({
          role: at % 2 === 0 ? "user" : "assistant",
          content
        }))
      })
  }
}
