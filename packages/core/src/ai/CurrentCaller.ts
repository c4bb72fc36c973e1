/** Whom calls of the AI services are for. */
import * as Context from "effect/Context"
import type { CallerConfig } from "../tenants/auth/CallerConfig.ts"

/**
 * The caller of every call within: whose keys, limits, guardrails and records apply. Default: the application itself. Of
 * `authenticateKey`, it is the owner of an API key.
 *
 * ```ts
 * LanguageModel.generateText({ prompt }).pipe(Effect.provideService(CurrentCaller, { account: "acme" }))
 * ```
 */
export const CurrentCaller = Context.Reference<CallerConfig | undefined>(
  "@signalbox/core/ai/CurrentCaller",
  { defaultValue: () => undefined }
)
