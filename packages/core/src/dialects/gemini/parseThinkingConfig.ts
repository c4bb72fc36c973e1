/** Parses how much a request to Google's API lets the model think. */
import * as Result from "effect/Result"
import type { ReasoningSettings } from "../../conversation/Conversation.ts"
import { isObject } from "../../values/json/guards.ts"
import { readNumber, readText } from "../readField.ts"
import type { UntranslatableRequest } from "../UntranslatableRequest.ts"
import { toCamelCase } from "./geminiFields.ts"

/** Thoughts are shown only to those that ask for them. */
export const parseThinkingConfig = (
  config: unknown,
  path: ReadonlyArray<string>
): Result.Result<ReasoningSettings | undefined, UntranslatableRequest> =>
  Result.gen(function* () {
    if (!isObject(config)) return undefined
    const fields = toCamelCase(config)
    const budget = yield* readNumber(fields, "thinkingBudget", path)
    const level = yield* readText(fields, "thinkingLevel", path)
    const shown = { isExcluded: fields["includeThoughts"] !== true }
    if (budget === 0) return { isEnabled: false }
    return {
      ...(level === undefined || level === "THINKING_LEVEL_UNSPECIFIED"
        ? undefined
        : { effort: level.toLowerCase() }),
      ...(budget === undefined
        ? undefined
        : budget < 0
          ? { isEnabled: true }
          : { maxTokens: budget }),
      ...shown
    }
  })
