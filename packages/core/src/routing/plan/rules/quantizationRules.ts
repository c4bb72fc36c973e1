/** The quantization levels that a request accepts. */
import { matchesQuantization } from "../../../catalog/Quantization.ts"
import { type HardRule, requestSource } from "./HardRule.ts"

export const makeQuantizationRules = (
  requested: ReadonlyArray<string> | undefined
): ReadonlyArray<HardRule> =>
  requested === undefined
    ? []
    : [
        {
          rule: "quantization",
          source: requestSource,
          wanted: `one of ${requested.join(", ")}`,
          findViolation: ({ endpoint: { quantization } }) =>
            requested.some((level) => matchesQuantization(level, quantization))
              ? undefined
              : quantization
        }
      ]
