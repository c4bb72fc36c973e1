/** Checks counts in requests against settings. */
import { InvalidRequest } from "../errors/RequestErrors.ts"

type CountSetting =
  | "maxContentParts"
  | "maxDocuments"
  | "maxEmbeddingInputs"
  | "maxLabels"
  | "maxLevels"
  | "maxMessages"
  | "maxOptions"
  | "maxQuestions"
  | "maxStateItems"
  | "maxTools"

/** The problem, if `count` is above the setting. */
export const findCountProblem = (
  count: number,
  setting: CountSetting,
  settings: Readonly<Record<CountSetting, number>>,
  path: ReadonlyArray<string | number>
): InvalidRequest | undefined =>
  count > settings[setting]
    ? new InvalidRequest({
        path,
        problem: `must have at most ${settings[setting]} (${setting}), got ${count}`
      })
    : undefined
