/** What images cost at an endpoint, and which parameters they take there. */
import * as Schema from "effect/Schema"

/** What images cost at an endpoint, and which parameters they take there. */
export interface ImageTerms {
  /** Every line that applies is charged. Absent: the `price` of the endpoint, for its tokens and per request. */
  readonly prices?: ReadonlyArray<ImagePrice>
  /**
   * The parameters that are sent there, such as `{ n: { type: "range", min: 1, max: 4 } }`, and no others. A request with
   * another value is not served there. Absent: unknown, and every parameter is sent.
   */
  readonly parameters?: Readonly<Record<string, ParameterRange>>
  /** Whether it sends previews in a stream. Default: whether the upstream can. */
  readonly streams?: boolean
  /** Parameters of the provider's own that it takes, in addition to `parameters`. */
  readonly passthrough?: ReadonlyArray<string>
}

/** One line of what images cost. */
export interface ImagePrice {
  readonly billable: (typeof billables)[number]
  readonly unit: (typeof units)[number]
  /** USD for one unit, as a decimal string, such as `"0.04"`. A megapixel is a million pixels. */
  readonly usd: string
  /**
   * Applies only to images of these: a size, a resolution, an aspect ratio, a quality, an output format or a background, or
   * several of them, such as `1024x1024`, `2K` or `high_1536x1024`. Of the lines for one thing in one unit, the one that says
   * most applies. Absent: applies to all other images.
   */
  readonly variant?: string
}

/** The values of a parameter that an endpoint takes: one of some, a number in a range, or any. */
export const ParameterRange = Schema.Union([
  Schema.Struct({ type: Schema.Literal("enum"), values: Schema.Array(Schema.String) }),
  Schema.Struct({ type: Schema.Literal("range"), min: Schema.Finite, max: Schema.Finite }),
  Schema.Struct({ type: Schema.Literal("boolean") })
])
export type ParameterRange = typeof ParameterRange.Type

/** What is charged, and by which unit, in the words of https://openrouter.ai/docs/guides/overview/multimodal/image-generation. */
export const billables = [
  "output_image",
  "output_text",
  "input_image",
  "input_reference",
  "input_font",
  "input_text"
] as const
export const units = ["image", "megapixel", "token", "request"] as const
