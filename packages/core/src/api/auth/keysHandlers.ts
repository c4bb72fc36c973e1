/** Handlers of the API key operations. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { ApiKeys, type IssuedKey } from "../../tenants/auth/keys/ApiKeys.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { noSpend, SpendCounters } from "../../engine/ledger/SpendCounters.ts"
import * as Subject from "../../engine/ledger/Subject.ts"
import { Settings } from "../../instance/Settings.ts"
import type { KeysApi } from "./KeysApi.ts"
import type { Handlers } from "../operation/Handler.ts"
import { resourceHandlers } from "../operation/resourceHandlers.ts"
import { toCurrentKeyResponse, toKeyResponse } from "./toKeyResponse.ts"

export const keysHandlers = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const counters = yield* SpendCounters
  const { rateLimit } = yield* Settings

  /** For callers whose key is not in the store. */
  const getCallerSpend = Effect.fnUntraced(function* (caller: Caller) {
    const subject = Subject.fromCaller(caller)
    const spends = yield* counters.findSpend([subject], yield* Clock.currentTimeMillis)
    return { spend: spends.get(subject) ?? noSpend }
  })

  return {
    ...resourceHandlers("hash", keys, toKeyResponse),
    create: ({ payload }, { caller }) =>
      Effect.map(keys.create(caller, payload), toIssuedKeyResponse),
    getCurrent: (_, { caller }) =>
      Effect.map(
        caller.keyHash === undefined
          ? getCallerSpend(caller)
          : // A host's `authenticate` may report keys that the store does not have.
            Effect.catchTag(keys.get(caller, caller.keyHash), "ResourceNotFound", () =>
              getCallerSpend(caller)
            ),
        (found) => ({ data: toCurrentKeyResponse(caller, found, rateLimit) })
      ),
    rotate: ({ params, payload }, { caller }) =>
      Effect.map(keys.rotate(caller, params.hash, payload.grace_seconds ?? 0), toIssuedKeyResponse),
    setRateLimit: ({ params, payload }, { caller }) =>
      Effect.map(keys.setRateLimit(caller, params.hash, payload), (changed) => ({
        data: toKeyResponse(changed)
      }))
  } satisfies Handlers<typeof KeysApi>
})

const toIssuedKeyResponse = (issued: IssuedKey) => ({
  data: toKeyResponse(issued),
  key: Redacted.value(issued.secret)
})
