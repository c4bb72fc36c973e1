/** Where a request to an upstream goes and what it carries in confidence. */
import * as Redacted from "effect/Redacted"
import { type Redactor, makeRedactor } from "../../secrets/Redactor.ts"

/** What every request to an upstream says. */
export interface UpstreamRequest {
  readonly url: string
  /** Sent as `Authorization: Bearer`. */
  readonly apiKey: Redacted.Redacted | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Headers that are no secret, such as an idempotency key: an answer may repeat them. */
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

/** Strikes out what the request carries in confidence; made once for each key and the headers beside it. */
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

/** Shorter values are words like any other: a real key has eight characters, a real header secret more. */
const listSecrets = ({ apiKey, headers }: UpstreamRequest): ReadonlyArray<string> => [
  ...(apiKey === undefined ? [] : [Redacted.value(apiKey)].filter(({ length }) => length >= 8)),
  ...Object.values(headers ?? {}).filter(({ length }) => length >= 16)
]
