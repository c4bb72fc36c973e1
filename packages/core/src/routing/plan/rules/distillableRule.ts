/** Models whose output may be used for distillation. */
import { type HardRule, requestSource } from "./HardRule.ts"

export const distillableRule: HardRule = {
  rule: "distillable",
  source: requestSource,
  wanted: "a model whose author allows distillation",
  findViolation: ({ distillable }) => (distillable ? undefined : "not distillable")
}
