/** The host's own key at a provider, as an upstream is given it. */
import * as Redacted from "effect/Redacted"

/** The host's own key of an upstream, and where it is sent. */
export interface HostKeyOptions {
  /** The upstream's own name, such as `openai`. */
  readonly upstreamName: string
  /** Null: none on purpose, because customers bring their own credentials. */
  readonly apiKey: string | Redacted.Redacted | null | undefined
  /** Where the key is sent. */
  readonly url: string
  /** The provider's own hostname, such as `api.openai.com`, where nothing is answered without a key. */
  readonly keyRequiredHost: string
}

/** Undefined: none is sent. Throws a `RangeError` without a key at the provider's own address: every request would fail. */
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
      `${upstreamName}: apiKey is ${value === "" ? "empty" : "missing"}, and ${keyRequiredHost} needs one; is the variable that holds it set? Where only customers' own credentials are used, say apiKey: null`
    )
  }
  return Redacted.isRedacted(apiKey) ? apiKey : Redacted.make(value)
}
