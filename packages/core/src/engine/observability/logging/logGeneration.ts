/** Logs a generation: caller, model, duration and cost, without any content. */
import * as Effect from "effect/Effect"
import { omitUndefined } from "../../../values/ownFields.ts"
import * as NanoUsd from "../../../values/usage/NanoUsd.ts"
import type { Generation } from "../generations/Generation.ts"
import { CurrentRequest } from "./RequestFacts.ts"

/** Adds the generation to the log line of its HTTP request; outside of one it gets its own line. */
export const logGeneration = (generation: Generation): Effect.Effect<void> =>
  Effect.flatMap(CurrentRequest, (request) => {
    if (request?.add(generation) === true) return Effect.void
    const { error } = generation
    const line =
      error === undefined ? Effect.logInfo("generation") : Effect.logWarning("generation")
    const { requestId } = generation
    return Effect.annotateLogs(line, {
      ...toLogAnnotations(generation),
      ...omitUndefined({ requestId })
    })
  })

/** Omits the requested model and all other texts that a caller chose. */
export const toLogAnnotations = (generation: Generation): Readonly<Record<string, unknown>> => {
  const { attempts, cost, error, latencyMillis, model, provider, upstreamModel, usage } = generation
  return {
    id: generation.id,
    account: generation.account,
    workspace: generation.workspace,
    operation: generation.operation,
    outcome: error ?? "answered",
    latencyMillis,
    attempts: attempts.map(({ endpoint, outcome }) => `${endpoint} ${outcome}`).join(", "),
    ...omitUndefined({
      keyHash: generation.keyHash,
      user: generation.user,
      tags: generation.tags,
      model,
      upstreamModel,
      provider,
      inputTokens: usage?.inputTokens,
      outputTokens: usage?.outputTokens,
      costUsd: cost === undefined ? undefined : NanoUsd.toUsdNumber(cost)
    })
  }
}
