/** Resolves the host's own API key of an upstream. */
import * as Redacted from "effect/Redacted"

/** The host's own API key of an upstream, and where it is sent. */
export interface HostKeyOptions {
  /** The upstream's own name, such as `openai`. */
  readonly upstreamName: string
  /** Null: none, because customers bring their own credentials. */
  readonly apiKey: string | Redacted.Redacted | null | undefined
  /** Where the key is sent. */
  readonly url: string
  /** The provider's own hostname, such as `api.openai.com`, which requires a key. */
  readonly keyRequiredHost: string
}

/** Undefined: no key is sent. Throws a `RangeError` when the key for the provider's own hostname is missing or empty. */
export const resolveHostKey = ({
  apiKey,
  upstreamName,
  keyRequiredHost,
  url
}: HostKeyOptions): Redacted.Redacted | undefined => {
  const value = Redacted.isRedacted(apiKey) ? Redacted.value(apiKey) : apiKey
  if (value === null) return undefined
  if (value === undefined || value === "") {
    if (URL.parse(url)?.hostname !== keyRequiredHost) return undefined
    throw new RangeError(
      `${upstreamName}: apiKey is ${value === "" ? "empty" : "missing"}, and ${keyRequiredHost} needs one; is the variable that holds it set? To use only customers' own credentials, pass apiKey: null`
    )
  }
  return Redacted.isRedacted(apiKey) ? apiKey : Redacted.make(value)
}
