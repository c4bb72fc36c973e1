/** The URL, the headers and the secrets of a request to an upstream. */
import * as Redacted from "effect/Redacted"
import { type Redactor, makeRedactor } from "../../secrets/Redactor.ts"
import { toResponseFailure } from "../failures/toResponseFailure.ts"
import { type UpstreamFailure, withFields } from "../failures/UpstreamFailure.ts"
import type { Refusal, Signature, Signer } from "./Signer.ts"
import { getHeader, type TransportHeaders } from "./UpstreamTransport.ts"

/** The common part of requests to an upstream. */
export interface UpstreamRequest {
  readonly url: string
  /** Sent as `Authorization: Bearer`, or in `keyHeader`. */
  readonly apiKey: Redacted.Redacted | undefined
  /** The name of the header that holds only `apiKey`, in lower case, such as `x-api-key`. */
  readonly keyHeader?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Headers that are not secret, such as an idempotency key, and are not redacted from answers. */
  readonly nonSecretHeaders?: Readonly<Record<string, string>> | undefined
  /** Adds headers that depend on the request, such as a signature of its body or a token that expires. */
  readonly signer?: Signer | undefined
  /** What an error response means; default: as in OpenAI's dialect. */
  readonly toFailure?: FailureReader | undefined
}

/** Classifies a response of an error status; its body is redacted, and may be empty or no JSON. */
export type FailureReader = (
  status: number,
  /** By names in lower case. */
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  nowMillis: number
) => UpstreamFailure

export const readFailure = (
  { signer, toFailure }: Pick<UpstreamRequest, "signer" | "toFailure">,
  signature: Signature | undefined,
  status: number,
  headers: TransportHeaders,
  body: string,
  nowMillis: number
): UpstreamFailure => {
  const failure =
    toFailure === undefined
      ? toResponseFailure(status, headers, body, nowMillis)
      : toFailure(status, joinLines(headers), body, nowMillis)
  return (status === 401 || status === 403) &&
    signature !== undefined &&
    isRenewed(signer, { signature, status, body, nowMillis })
    ? withFields(failure, { isCredentialRenewed: true })
    : failure
}

/** A signer is the code of an upstream; a defect of it renews nothing. */
const isRenewed = (signer: Signer | undefined, refusal: Refusal): boolean => {
  try {
    return signer?.renew?.(refusal) === true
  } catch {
    return false
  }
}

const joinLines = (headers: TransportHeaders): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, getHeader(headers, name)]))

/** Headers by their names in lower case. */
type HeaderFields = Readonly<Record<string, string>>

/** The headers of the request, without the headers of its body and its signer; cached by key and headers. */
export const toHeaders = (request: UpstreamRequest): HeaderFields => {
  const { nonSecretHeaders } = request
  const { common } = prepareCredentials(request)
  return nonSecretHeaders === undefined ? common : { ...common, ...toLowerCase(nonSecretHeaders) }
}

/** `toHeaders` of a request whose body is JSON. */
export const toJsonHeaders = (request: UpstreamRequest): HeaderFields =>
  request.nonSecretHeaders === undefined
    ? prepareCredentials(request).json
    : { ...toHeaders(request), ...jsonType }

/** Redacts the secrets of the request and of its signature; cached by key, headers and signature. */
export const getRedactor = (request: UpstreamRequest, signature?: Signature): Redactor => {
  const credentials = prepareCredentials(request)
  if (signature === undefined) return (credentials.redactor ??= makeRedactor(listSecrets(request)))
  let redactor = credentials.signedRedactors.get(signature)
  if (redactor === undefined) {
    const secrets = [...listSecrets(request), ...listHeaderSecrets(signature.headers)]
    credentials.signedRedactors.set(signature, (redactor = makeRedactor(secrets)))
  }
  return redactor
}

/** Values derived from a key and headers. */
interface Credentials {
  readonly keyHeader: string | undefined
  readonly common: HeaderFields
  readonly json: HeaderFields
  redactor: Redactor | undefined
  readonly signedRedactors: WeakMap<Signature, Redactor>
}

const jsonType = { "content-type": "application/json" }

const prepareCredentials = ({ apiKey, headers, keyHeader }: UpstreamRequest): Credentials => {
  const key = apiKey ?? none
  let byHeaders = prepared.get(key)
  if (byHeaders === undefined) prepared.set(key, (byHeaders = new WeakMap()))
  let credentials = byHeaders.get(headers ?? none)
  if (credentials === undefined || credentials.keyHeader !== keyHeader) {
    const common = { ...toLowerCase(headers ?? {}), ...toKeyHeader(apiKey, keyHeader) }
    const json = { ...common, ...jsonType }
    credentials = { keyHeader, common, json, redactor: undefined, signedRedactors: new WeakMap() }
    byHeaders.set(headers ?? none, credentials)
  }
  return credentials
}

const toKeyHeader = (
  apiKey: Redacted.Redacted | undefined,
  keyHeader: string | undefined
): HeaderFields | undefined => {
  if (apiKey === undefined) return undefined
  const key = Redacted.value(apiKey)
  return keyHeader === undefined ? { authorization: `Bearer ${key}` } : { [keyHeader]: key }
}

const prepared = new WeakMap<object, WeakMap<object, Credentials>>()

const none = {}

export const toLowerCase = (headers: HeaderFields): HeaderFields =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Shorter values may be ordinary words: real keys have at least 8 characters, real header secrets 16. */
const listSecrets = ({ apiKey, headers }: UpstreamRequest): ReadonlyArray<string> => [
  ...(apiKey === undefined ? [] : [Redacted.value(apiKey)].filter(({ length }) => length >= 8)),
  ...listHeaderSecrets(headers ?? {})
]

/** An upstream may repeat a token without the name of its scheme. */
const listHeaderSecrets = (headers: HeaderFields): ReadonlyArray<string> =>
  Object.values(headers)
    .flatMap((value) => [value, value.replace(/^[\w-]+ +/, "")])
    .filter(({ length }) => length >= 16)
