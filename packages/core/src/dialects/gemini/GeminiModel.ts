/** Features and limits of models with Google's API: https://ai.google.dev/gemini-api/docs/models. */
import { omitUndefined } from "../../values/ownFields.ts"
import { findLongestStart } from "../findLongestStart.ts"
import type { GeminiThinkingForm } from "./writeThinkingConfig.ts"

/** The facts of a model that a request depends on. */
export interface GeminiModel {
  /** The form of the setting for how much it thinks. */
  readonly thinking: GeminiThinkingForm
  /** The maximum length of an answer in tokens, thoughts included. */
  readonly maxOutputTokens: number
  /** Whether media may be URLs of any public host. */
  readonly takesUrls: boolean
  /** Whether the results of calls may hold media. */
  readonly takesResultMedia: boolean
  /** Whether calls of the current turn need a signature; without one of its own they get the value that skips the check. */
  readonly needsSignatures: boolean
}

/** Facts by the beginning of a model's name, such as `gemini-3-pro`. */
export type GeminiModels = Readonly<Record<string, Partial<GeminiModel>>>

/**
 * The facts of a model. Entries of `models` take precedence over the built-in ones; among these the longest matching
 * prefix wins. An unknown model gets the facts that all models of Gemini 3 share.
 */
export const findGeminiModel = (name: string, models: GeminiModels = {}): GeminiModel => ({
  ...newest,
  ...findLongestStart([name], knownModels),
  ...omitUndefined(findLongestStart([name], Object.entries(models)) ?? {})
})

const newest: GeminiModel = {
  thinking: { type: "level", levels: ["low", "high"] },
  maxOutputTokens: 65_536,
  takesUrls: true,
  takesResultMedia: true,
  needsSignatures: true
}

const before3 = { takesUrls: false, takesResultMedia: false, needsSignatures: false }

const withoutThinking: Partial<GeminiModel> = {
  ...before3,
  thinking: { type: "none" },
  maxOutputTokens: 8_192
}

const knownModels: ReadonlyArray<readonly [string, Partial<GeminiModel>]> = [
  ["gemma-", withoutThinking],
  ["gemini-1.", withoutThinking],
  ["gemini-2.0-", withoutThinking],
  ["gemini-2.5-", { ...before3, thinking: { type: "budget", min: 0, max: 24_576 } }],
  ["gemini-2.5-pro", { ...before3, thinking: { type: "budget", min: 128, max: 32_768 } }],
  ["gemini-3-flash", { thinking: { type: "level", levels: ["minimal", "low", "medium", "high"] } }]
]
