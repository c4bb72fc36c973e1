/** A model that stands for others, as a host configures it. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { isObject } from "../../../values/json/guards.ts"
import { describeUnknownName } from "../../../values/validation/findNearestName.ts"

/** How a router model chooses among the models that fit a request. */
export type RouterKind = "cheapest" | "random"

/**
 * Stands where `endpoints` do: the model stands for others. Which of them fit is asked anew for each request, as `kind` says
 * which one answers; the others are its fallbacks, and the answer names the model that answered.
 *
 * ```ts
 * { id: "openrouter/free", router: { kind: "random", free: true } }
 * { id: "acme/tools", router: { kind: "cheapest", candidates: ["openai/*", "google/*"], parameters: ["tools"] } }
 * ```
 */
export interface RouterConfig {
  /**
   * `random` draws one of the models, each with the same probability; `cheapest` takes the one that is expected to cost least
   * for the request.
   */
  readonly kind: RouterKind
  /**
   * The models to choose among, by id, or by patterns with `*` such as `openai/*` and `*:free`. Default: every listed model
   * that writes text.
   */
  readonly candidates?: ReadonlyArray<string>
  /** Models to leave out, by the same patterns. */
  readonly except?: ReadonlyArray<string>
  /** Whether to use only endpoints that cost nothing; default: false. */
  readonly free?: boolean
  /** Parameters that an endpoint must list, such as `tools`. Those that a request needs are asked for in any case. */
  readonly parameters?: ReadonlyArray<string>
  /** What a model must read besides text, such as `image`. What a request has is asked for in any case. */
  readonly inputs?: ReadonlyArray<string>
  /** The least context length, in tokens. What a request needs is asked for in any case. */
  readonly minContextLength?: number
  /** The highest prices, in USD per million tokens. */
  readonly maxPrice?: { readonly prompt?: number; readonly completion?: number }
}

const Texts = Schema.Array(Schema.NonEmptyString).check(Schema.isMaxLength(1_000))
const UsdPerMillion = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))
const fields = {
  kind: Schema.Literals(["cheapest", "random"]),
  candidates: Schema.optional(Texts.check(Schema.isMinLength(1))),
  except: Schema.optional(Texts),
  free: Schema.optional(Schema.Boolean),
  parameters: Schema.optional(Texts),
  inputs: Schema.optional(
    Schema.Array(Schema.Literals(["text", "image", "audio", "file", "video"]))
  ),
  minContextLength: Schema.optional(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))),
  maxPrice: Schema.optional(
    Schema.Struct({
      prompt: Schema.optional(UsdPerMillion),
      completion: Schema.optional(UsdPerMillion)
    })
  )
} satisfies Record<keyof RouterConfig, Schema.Top>
const decode = Schema.decodeUnknownResult(Schema.Struct(fields), { onExcessProperty: "error" })

/** Throws a `RangeError` that names the invalid field. */
export const checkRouterConfig = (config: RouterConfig): void => {
  const names = Object.keys(fields)
  const stranger = Object.keys(isObject(config) ? config : {}).find((name) => !names.includes(name))
  if (stranger !== undefined) {
    throw new RangeError(`router.${describeUnknownName(stranger, "field of a router", names)}`)
  }
  Result.getOrThrowWith(decode(config), (error) => new RangeError(`router: ${error.message}`))
}
