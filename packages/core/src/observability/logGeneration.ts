/** A generation as a line of the log: who, what, how long, how much; never what was asked. */
import * as Effect from "effect/Effect"
import * as NanoUsd from "../values/usage/NanoUsd.ts"
import type { Generation } from "./Generation.ts"
import { CurrentRequest } from "./RequestFacts.ts"

/** Part of the line of the HTTP request it belongs to; a line of its own when there is none. */
export const logGeneration = (generation: Generation): Effect.Effect<void> =>
  Effect.flatMap(CurrentRequest, (request) => {
    if (request?.add(generation) === true) return Effect.void
    const { error } = generation
    const line =
      error === undefined ? Effect.logInfo("generation") : Effect.logWarning("generation")
    return Effect.annotateLogs(line, toLogAnnotations(generation))
  })

/** The model asked for and what a caller says about itself are texts of the caller's, and left out. */
export const toLogAnnotations = (generation: Generation): Readonly<Record<string, unknown>> => {
  const { attempts, cost, error, latencyMillis, model, provider, usage } = generation
  return {
    id: generation.id,
    account: generation.account,
    workspace: generation.workspace,
    operation: generation.operation,
    outcome: error ?? "answered",
    latencyMillis,
    attempts: attempts.map(({ endpoint, outcome }) => `${endpoint} ${outcome}`).join(", "),
    ...(generation.keyHash === undefined ? undefined : { keyHash: generation.keyHash }),
    ...(model === undefined ? undefined : { model }),
    ...(provider === undefined ? undefined : { provider }),
    ...(usage === undefined
      ? undefined
      : { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens }),
    ...(cost === undefined ? undefined : { costUsd: NanoUsd.toUsdNumber(cost) })
  }
}
