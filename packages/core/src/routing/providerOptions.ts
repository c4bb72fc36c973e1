/** The `provider.options` of requests for media: parameters of a provider's own, by its slug. */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import { findMediaProblem } from "../engine/outbound/findMediaProblem.ts"
import type { InvalidRequest } from "../values/errors/RequestErrors.ts"
import { findPreferenceProblem } from "./Preferences.ts"
import { decodeFields, failInvalid, type ParseOptions, selectFields } from "./parseRequest.ts"
import { splitParameters } from "./splitParameters.ts"

/** By slug of the provider. */
export type ProviderOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>

interface DecodedRequest<Fields> {
  /** Its `provider` has the preferences of routing alone. */
  readonly request: Fields
  readonly providerOptions: ProviderOptions
  /** Every other field, as the caller wrote it. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Fields that no provider is sent; undefined: none. */
  readonly ignored: Array<string> | undefined
}

/**
 * Decodes fields whose `provider` may have options besides the preferences of routing. Options and parameters are sent to a
 * provider as they are, so that it must be allowed to fetch every address in them.
 */
export const decodeWithProviderOptions = <Fields>(
  decode: (fields: unknown) => Result.Result<Fields, Schema.SchemaError>,
  fields: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
  options: ParseOptions
): Result.Result<DecodedRequest<Fields>, InvalidRequest> => {
  const { provider } = fields
  const hasOptions = Predicate.isObject(provider) && Object.hasOwn(provider, "options")
  const providerOptions: unknown = (hasOptions ? provider["options"] : undefined) ?? {}
  if (!isOptions(providerOptions)) {
    return failInvalid(
      ["provider", "options"],
      'must be objects by the slug of their provider, such as { "openai": {} }'
    )
  }
  const preferences = hasOptions ? selectFields(provider, (name) => name !== "options") : provider
  const problem = findPreferenceProblem(preferences)
  if (problem !== undefined) return Result.fail(problem)
  const option = findMediaProblem(providerOptions, options.settings, "options")
  if (option !== undefined) {
    return failInvalid(["provider", "options", ...option.path], option.problem)
  }
  const { ignored, parameters } = splitParameters(fields, (name) => known.has(name))
  const parameter = findMediaProblem(parameters, options.settings)
  if (parameter !== undefined) return failInvalid(parameter.path, parameter.problem)
  const routed = hasOptions ? { ...fields, provider: preferences } : fields
  return Result.map(decodeFields(decode, routed, options), (request) => ({
    request,
    providerOptions,
    parameters,
    ignored
  }))
}

const isOptions = (value: unknown): value is ProviderOptions =>
  Predicate.isObject(value) &&
  !Array.isArray(value) &&
  Object.values(value).every((each) => Predicate.isObject(each) && !Array.isArray(each))

/** The options for one provider. */
export const selectProviderOptions = (
  options: ProviderOptions,
  provider: string
): Readonly<Record<string, unknown>> =>
  Object.hasOwn(options, provider) ? (options[provider] ?? {}) : {}
