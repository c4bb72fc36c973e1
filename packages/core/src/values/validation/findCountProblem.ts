/** What a caller is told that sends more of something than a setting allows. */
import { InvalidRequest } from "../errors/RequestErrors.ts"

type CountSetting =
  | "maxContentParts"
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
