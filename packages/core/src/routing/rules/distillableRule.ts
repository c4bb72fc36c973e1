/** What may be distilled from. */
import { type HardRule, request } from "./HardRule.ts"

export const distillableRule: HardRule = {
  rule: "distillable",
  source: request,
  wanted: "a model whose author allows distillation",
  fails: ({ distillable }) => (distillable ? undefined : "not distillable")
}
