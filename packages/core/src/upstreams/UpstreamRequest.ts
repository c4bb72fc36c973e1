/** Where a request to an upstream goes and what it carries in confidence. */
import * as Redacted from "effect/Redacted"
import { type Redactor, redactorOf } from "../secrets/Redactor.ts"

/** What every request to an upstream says. */
export interface UpstreamRequest {
  readonly url: string
  /** Sent as `Authorization: Bearer`. */
  readonly apiKey: Redacted.Redacted | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Headers that are no secret, such as an idempotency key: an answer may repeat them. */
  readonly plainHeaders?: Readonly<Record<string, string>> | undefined
}

export const headersOf = ({
  apiKey,
  headers,
  plainHeaders
}: UpstreamRequest): Readonly<Record<string, string>> => ({
  ...headers,
  ...plainHeaders,
  ...(apiKey === undefined ? undefined : { authorization: `Bearer ${Redacted.value(apiKey)}` })
})

/** Strikes out what the request carries in confidence; made once for each key and the headers beside it. */
export const redactorFor = (request: UpstreamRequest): Redactor => {
  const { apiKey = nothing, headers = nothing } = request
  let ofKey = redactors.get(apiKey)
  if (ofKey === undefined) redactors.set(apiKey, (ofKey = new WeakMap()))
  let redactor = ofKey.get(headers)
  if (redactor === undefined) ofKey.set(headers, (redactor = redactorOf(secretsOf(request))))
  return redactor
}

const redactors = new WeakMap<object, WeakMap<object, Redactor>>()

const nothing = {}

/** Shorter values are words like any other: a real key has eight characters, a real header secret more. */
const secretsOf = ({ apiKey, headers }: UpstreamRequest): ReadonlyArray<string> => [
  ...(apiKey === undefined ? [] : [Redacted.value(apiKey)].filter(({ length }) => length >= 8)),
  ...Object.values(headers ?? {}).filter(({ length }) => length >= 16)
]
