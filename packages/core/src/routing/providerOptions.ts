/** The `provider.options` of requests for media: parameters of a provider's own, by its slug. */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import type { InvalidRequest } from "../values/errors/RequestErrors.ts"
import { findPreferenceProblem } from "./Preferences.ts"
import { decodeFields, failInvalid, type ParseOptions, selectFields } from "./parseRequest.ts"

/** By slug of the provider. */
export type ProviderOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>

interface DecodedRequest<Fields> {
  /** Its `provider` has the preferences of routing alone. */
  readonly request: Fields
  readonly providerOptions: ProviderOptions
}

/** Decodes fields whose `provider` may have options besides the preferences of routing. */
export const decodeWithProviderOptions = <Fields>(
  decode: (fields: unknown) => Result.Result<Fields, Schema.SchemaError>,
  fields: Readonly<Record<string, unknown>>,
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
  const routed = hasOptions ? { ...fields, provider: preferences } : fields
  return Result.map(decodeFields(decode, routed, options), (request) => ({
    request,
    providerOptions
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
