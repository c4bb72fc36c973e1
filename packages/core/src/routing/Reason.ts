/** Why a candidate was left out or moved back: a closed set, with what was asked and what was found. */

export type Rule =
  | "only"
  | "ignore"
  | "order"
  | "allow_fallbacks"
  | "zdr"
  | "data_collection"
  | "distillable"
  | "quantization"
  | "max_price"
  | "unknown_price"
  | "context_length"
  | "require_parameters"
  | "outage"
  | "pin"

export interface Reason {
  readonly rule: Rule
  /** Who set the rule: `request`, or the source of a constraint. */
  readonly source: string
  /** What the rule asks, such as `<= 2 USD per million prompt tokens`. */
  readonly wanted: string
  /** What the candidate has, such as `3`. */
  readonly found: string
}
