/** Signs requests to AWS with Signature Version 4: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html. */
import {
  type ExpiringCredential,
  SharedCredential,
  type Signature,
  type Signer,
  type UnsignedRequest
} from "@signalbox/core/upstream"
import { AwsV4Signer } from "aws4fetch"

/** Keys of AWS, in the form of its SDK. */
export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** The session token of temporary keys. */
  readonly sessionToken?: string | undefined
  /** When temporary keys expire; absent: they are fetched again after five minutes. */
  readonly expiration?: Date | undefined
}

/** Gets the keys, such as `fromNodeProviderChain()` of `@aws-sdk/credential-providers`. */
export type AwsCredentialProvider = () => PromiseLike<AwsCredentials>

export interface AwsSignerOptions {
  readonly region: string
  /** The name of the service in signatures, such as `bedrock-mantle`. */
  readonly service: string
  readonly credentials: AwsCredentialProvider | AwsCredentials
}

/**
 * A provider is asked once for all requests, again before the keys expire, and once when AWS refuses them as expired. A
 * signature that is too old is made anew, once.
 */
export const makeAwsSigner = ({ credentials, region, service }: AwsSignerOptions): Signer => {
  const shared = new SharedCredential(
    typeof credentials === "function"
      ? async () => toExpiring(await credentials())
      : () => ({ value: credentials, expiresAt: Infinity })
  )
  const keysOf = new WeakMap<Signature, AwsCredentials>()
  /** Signing keys by secret key and day. The keys of expired credentials are garbage-collected with them. */
  const derived = new WeakMap<AwsCredentials, Map<string, ArrayBuffer>>()
  const sign = async (request: UnsignedRequest): Promise<Signature> => {
    const keys = await shared.get(request.nowMillis)
    let signingKeys = derived.get(keys)
    if (signingKeys === undefined) derived.set(keys, (signingKeys = new Map()))
    const signature = await signWith(keys, request, { region, service, signingKeys })
    keysOf.set(signature, keys)
    return signature
  }
  return Object.assign(sign, {
    renew: ({ body, nowMillis, signature }: Parameters<NonNullable<Signer["renew"]>>[0]) => {
      if (tooOldPattern.test(body)) return true
      // Fixed keys cannot be renewed.
      if (typeof credentials !== "function" || !expiredPattern.test(body)) return false
      const keys = keysOf.get(signature)
      return keys !== undefined && shared.forget(keys, nowMillis)
    }
  })
}

/** The clock of the signature was wrong, or the request waited too long to be sent. */
const tooOldPattern =
  /Signature expired|Signature not yet current|RequestExpired|RequestTimeTooSkewed/

const expiredPattern = /ExpiredToken|UnrecognizedClient|InvalidClientTokenId|security token/i

const toExpiring = (keys: AwsCredentials): ExpiringCredential<AwsCredentials> =>
  keys.expiration === undefined
    ? { value: keys }
    : { value: keys, expiresAt: keys.expiration.getTime() }

interface SigningScope {
  readonly region: string
  readonly service: string
  readonly signingKeys: Map<string, ArrayBuffer>
}

const signWith = async (
  { accessKeyId, secretAccessKey, sessionToken }: AwsCredentials,
  { body, headers, method, nowMillis, url }: UnsignedRequest,
  { region, service, signingKeys }: SigningScope
): Promise<Signature> => {
  const signer = new AwsV4Signer({
    method,
    url,
    // Proxies change other headers on the way.
    headers: pickSigned(headers),
    body: new Uint8Array(body),
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined ? undefined : { sessionToken }),
    region,
    service,
    cache: signingKeys,
    datetime: toBasicDate(nowMillis)
  })
  const { headers: signed } = await signer.sign()
  const date = signed.get("x-amz-date")
  return {
    headers: {
      authorization: signed.get("authorization") ?? "",
      ...(sessionToken === undefined ? undefined : { "x-amz-security-token": sessionToken })
    },
    ...(date === null ? undefined : { nonSecretHeaders: { "x-amz-date": date } })
  }
}

const pickSigned = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("x-amz-")))

/** ISO 8601's basic format, without fractions. */
const toBasicDate = (millis: number): string =>
  new Date(millis).toISOString().replaceAll(/[:-]|\.\d{3}/g, "")
