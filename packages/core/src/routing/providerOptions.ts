/** The `provider.options` of requests for media: parameters of a provider's own, by its slug. */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { InvalidRequest } from "../values/errors/RequestErrors.ts"
import { failInvalid, selectFields } from "./parseRequest.ts"

/** By slug of the provider. */
export type ProviderOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>

interface ReadProvider {
  readonly options: ProviderOptions
  /** What is left: the preferences of routing. */
  readonly preferences: unknown
}

/** Takes the options out of the `provider` of a request. */
export const readProviderOptions = (
  provider: unknown
): Result.Result<ReadProvider, InvalidRequest> => {
  if (!Predicate.isObject(provider) || !Object.hasOwn(provider, "options")) {
    return Result.succeed({ options: {}, preferences: provider })
  }
  const options: unknown = provider["options"] ?? {}
  const preferences = selectFields(provider, (name) => name !== "options")
  if (!isOptions(options)) {
    return failInvalid(
      ["provider", "options"],
      'must be objects by the slug of their provider, such as { "openai": {} }'
    )
  }
  return Result.succeed({ options, preferences })
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
