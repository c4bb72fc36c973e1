/** At which levels a model may run. */
import { covers } from "../../catalog/Quantization.ts"
import { type HardRule, request } from "./HardRule.ts"

export const quantizationRules = (
  requested: ReadonlyArray<string> | undefined
): ReadonlyArray<HardRule> =>
  requested === undefined
    ? []
    : [
        {
          rule: "quantization",
          source: request,
          wanted: `one of ${requested.join(", ")}`,
          fails: ({ endpoint: { quantization } }) =>
            requested.some((level) => covers(level, quantization)) ? undefined : quantization
        }
      ]
