/** Identifies the requests that may have the same answer: those of one scope that a provider would get alike. */
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { isObject } from "../../values/json/guards.ts"
import type { CapabilityTraits, RouteQuery } from "../RouteQuery.ts"
import type { ResponseCacheRules } from "./CacheWish.ts"

type Query = Pick<RouteQuery<CapabilityTraits>, "caller" | "externalUser" | "operation">

/** A digest, so that a store learns nothing of the request. `models`: the requested ones, resolved. */
export const makeAnswerKey = (
  { caller, externalUser, operation }: Query,
  models: ReadonlyArray<string>,
  content: unknown,
  scope: ResponseCacheRules["scope"]
): Effect.Effect<string, never, Digest.Digest> => {
  const text = toCanonicalJson([
    version,
    caller.account,
    caller.workspace,
    listSharers(caller, externalUser, scope),
    operation,
    models,
    content
  ])
  return Effect.flatMap(Digest.Digest, (digest) =>
    digest.digestHex(Digest.sha256, encoder.encode(text))
  )
}

/** Another number makes every stored answer another one's. */
const version = 1

const encoder = new TextEncoder()

/** What callers within a workspace must have in common. */
const listSharers = (
  { keyHash, kind, user }: Caller,
  externalUser: string | undefined,
  scope: ResponseCacheRules["scope"]
): ReadonlyArray<string> => {
  if (scope === "external_user" && externalUser !== undefined)
    return ["external_user", externalUser]
  if (scope === "external_user" || scope === "key") {
    // Callers that a host authenticates have no key.
    return keyHash === undefined ? ["user", kind, user ?? ""] : ["key", keyHash]
  }
  return []
}

/**
 * JSON that is the same for values that say the same: without white space, and with the keys of objects in order. Where a
 * model reads the order, it stays: in schemas, and in the arguments of calls.
 */
const toCanonicalJson = (value: unknown): string => write(value, false)

const write = (value: unknown, isOrdered: boolean): string => {
  if (Array.isArray(value)) return `[${value.map((each) => write(each, isOrdered)).join(",")}]`
  if (!isObject(value)) return JSON.stringify(value) ?? "null"
  const names = Object.keys(value).filter((name) => value[name] !== undefined)
  const listed = isOrdered ? names : names.toSorted()
  const members = listed.map((name) => {
    const member = value[name]
    const isRead = isOrdered || readInOrder.has(name) || (name === "input" && isObject(member))
    return `${JSON.stringify(name)}:${write(member, isRead)}`
  })
  return `{${members.join(",")}}`
}

/** Members whose keys a model reads in their order. */
const readInOrder: ReadonlySet<string> = new Set([
  "arguments",
  "input_schema",
  "parameters",
  "schema"
])
