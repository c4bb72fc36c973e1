/** The URL and the secrets of a request to an upstream. */
import * as Redacted from "effect/Redacted"
import { type Redactor, makeRedactor } from "../../secrets/Redactor.ts"

/** The common part of requests to an upstream. */
export interface UpstreamRequest {
  readonly url: string
  /** Sent as `Authorization: Bearer`. */
  readonly apiKey: Redacted.Redacted | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Headers that are not secret, such as an idempotency key, and are not redacted from answers. */
  readonly nonSecretHeaders?: Readonly<Record<string, string>> | undefined
}

export const toHeaders = ({
  apiKey,
  headers,
  nonSecretHeaders
}: UpstreamRequest): Readonly<Record<string, string>> => ({
  ...headers,
  ...nonSecretHeaders,
  ...(apiKey === undefined ? undefined : { authorization: `Bearer ${Redacted.value(apiKey)}` })
})

/** Redacts the secrets of the request; cached by key and headers. */
export const getRedactor = (request: UpstreamRequest): Redactor => {
  const { apiKey = none, headers = none } = request
  let redactorsByHeaders = redactors.get(apiKey)
  if (redactorsByHeaders === undefined) redactors.set(apiKey, (redactorsByHeaders = new WeakMap()))
  let redactor = redactorsByHeaders.get(headers)
  if (redactor === undefined)
    redactorsByHeaders.set(headers, (redactor = makeRedactor(listSecrets(request))))
  return redactor
}

const redactors = new WeakMap<object, WeakMap<object, Redactor>>()

const none = {}

/** Shorter values may be ordinary words: real keys have at least 8 characters, real header secrets 16. */
const listSecrets = ({ apiKey, headers }: UpstreamRequest): ReadonlyArray<string> => [
  ...(apiKey === undefined ? [] : [Redacted.value(apiKey)].filter(({ length }) => length >= 8)),
  ...Object.values(headers ?? {}).filter(({ length }) => length >= 16)
]
