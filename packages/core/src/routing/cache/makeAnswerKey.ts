/** Identifies the requests that may have the same answer: those of one scope that a provider would get alike. */
import * as Digest from "effect/crypto/Digest"
import type * as Effect from "effect/Effect"
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
  scope: ResponseCacheRules["scope"],
  digest: Digest.Digest["Service"]
): Effect.Effect<string> => {
  const text = toCanonicalJson([
    version,
    caller.account,
    caller.workspace,
    listSharers(caller, externalUser, scope),
    operation,
    models,
    content
  ])
  return digest.digestHex(Digest.sha256, encoder.encode(text))
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
  if (typeof value === "string") return JSON.stringify(value)
  if (Array.isArray(value)) {
    let items = ""
    for (let at = 0; at < value.length; at++) {
      items += (at === 0 ? "" : ",") + write(value[at], isOrdered)
    }
    return `[${items}]`
  }
  if (!isObject(value)) return JSON.stringify(value) ?? "null"
  const names = Object.keys(value)
  if (!isOrdered && names.length > 1) names.sort()
  let members = ""
  for (const name of names) {
    const member = value[name]
    if (member === undefined) continue
    const isRead = isOrdered || readInOrder.has(name) || (name === "input" && isObject(member))
    members += `${members === "" ? "" : ","}${JSON.stringify(name)}:${write(member, isRead)}`
  }
  return `{${members}}`
}

/** Members whose keys a model reads in their order. */
const readInOrder: ReadonlySet<string> = new Set([
  "arguments",
  "input_schema",
  "parameters",
  "schema"
])
