/** Fits the thinking of a request, as its caller wrote it for some model, to the model that gets it. */
import * as Result from "effect/Result"
import { isObject } from "../../values/json/guards.ts"
import {
  RequestProblems,
  type UntranslatableRequest,
  failTranslation
} from "../UntranslatableRequest.ts"
import { isEmpty } from "../readField.ts"
import { replaceFields } from "../replaceFields.ts"
import { RequestChanges } from "../RequestChanges.ts"
import type { MessagesModel } from "./MessagesModel.ts"
import { parseThinkingSettings } from "./parseThinkingSettings.ts"
import { unforcedProblem } from "./writeMessagesTools.ts"
import { fitEffort, writeThinkingSettings } from "./writeThinkingSettings.ts"

type Json = Readonly<Record<string, unknown>>

/**
 * Returns the same body where the model takes it. Fails for a forced call if the model refuses forced calls even
 * without thinking.
 */
export const fitThinking = (
  body: Json,
  model: MessagesModel | undefined,
  cap: number,
  changes: RequestChanges
): Result.Result<Json, UntranslatableRequest> => {
  if (model === undefined || !model.isKnown) return Result.succeed(body)
  const isForced = isForcedChoice(body["tool_choice"])
  if (isForced && model.forcedTools === "never") {
    return failTranslation(["tool_choice"], unforcedProblem)
  }
  const thinking = fitSettings(body, model, isForced, cap, changes)
  const fitted = thinking === body["thinking"] ? body : replaceFields(body, { thinking })
  const output = body["output_config"]
  if (!isObject(output)) return Result.succeed(fitted)
  const isOff = isObject(thinking) && thinking["type"] === "disabled"
  const passed = fitEffort(
    output,
    (isOff ? model.unthinkingEfforts : undefined) ?? model.efforts,
    changes
  )
  return Result.succeed(
    passed === output
      ? fitted
      : replaceFields(fitted, { output_config: isEmpty(passed) ? undefined : passed })
  )
}

const isForcedChoice = (choice: unknown): boolean =>
  isObject(choice) && (choice["type"] === "any" || choice["type"] === "tool")

const fitSettings = (
  body: Json,
  { forcedTools, thinking: forms }: MessagesModel,
  isForced: boolean,
  cap: number,
  changes: RequestChanges
): unknown => {
  const { thinking } = body
  const type = isObject(thinking) ? thinking["type"] : undefined
  const isOn = type === "adaptive" || type === "enabled"
  if (isForced && isOn && (forcedTools !== "always" || type === "enabled") && forms.disabled) {
    changes.add(["thinking"])
    return { type: "disabled" }
  }
  const isTaken =
    (type !== "adaptive" || forms.adaptive) &&
    (type !== "enabled" || forms.budget) &&
    (type !== "disabled" || forms.disabled)
  if (isTaken) return thinking
  changes.add(["thinking"])
  const { reasoning } = parseThinkingSettings(body, new RequestProblems())
  const { thinking: written } = writeThinkingSettings(reasoning, {
    forms,
    cap,
    isForced,
    forcedTools,
    // The change is already reported above, under the name of the field in this dialect.
    changes: new RequestChanges()
  })
  return written
}
