/** Runs Decisions in process on an in-memory upstream, with the restrictions in `POLICIES`. */
import * as Effect from "effect/Effect"
import { decisionRequest } from "../decisionRequest.ts"
import { makeRestrictedInstance, toPolicies } from "./makeRestrictedInstance.ts"

const reply = Effect.succeed({
  verdicts: new Map([
    ["urgent", { weights: [0.83, 0.17] }],
    ["topic", { weights: [0.78, 0.22, 0] }],
    ["mood", { weights: [0.2, 0.4, 0.4] }]
  ]),
  usage: { inputTokens: 120, outputTokens: 0 },
  method: "native"
})

const { box: instance, caller } = await makeRestrictedInstance(
  (slug) => ({
    slug,
    name: slug,
    decisions: {
      decide: () => reply,
      estimateWorstCase: ({ contentBytes }) => ({ inputTokens: contentBytes, outputTokens: 0 })
    }
  }),
  toPolicies(process.env["POLICIES"])
)

const micros = (): number => {
  const { system, user } = process.cpuUsage()
  return system + user
}

process.on("message", (decisions: number) => {
  void (async () => {
    const started = micros()
    for (let i = 0; i < decisions; i++) await instance.decide(decisionRequest, { caller })
    process.send?.({ cpuMicros: micros() - started })
  })()
})
process.send?.({})
