/** A line of the log for each generation: who, what, how long, how much; never what was asked. */
import * as Effect from "effect/Effect"
import * as NanoUsd from "../values/NanoUsd.ts"
import type { Generation } from "./Generation.ts"

/** The model asked for and what a caller says about itself are texts of the caller's, and left out. */
export const logLine = (generation: Generation): Effect.Effect<void> => {
  const { attempts, cost, error, latencyMillis, model, provider, usage } = generation
  const line = error === undefined ? Effect.logInfo("generation") : Effect.logWarning("generation")
  return Effect.annotateLogs(line, {
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
  })
}
