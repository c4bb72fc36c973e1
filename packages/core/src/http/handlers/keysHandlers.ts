/** Handlers of API keys. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { KeyPatch, NewKey } from "../../auth/ApiKey.ts"
import { ApiKeys, type IssuedKey } from "../../auth/ApiKeys.ts"
import type { Caller } from "../../auth/Caller.ts"
import { noSpend, SpendCounters } from "../../ledger/SpendCounters.ts"
import * as Subject from "../../ledger/Subject.ts"
import { Settings } from "../../Settings.ts"
import { type KeysApi, KeyRateLimitRequest, RotateKeyRequest } from "../api/KeysApi.ts"
import type { RequestContext, Handlers } from "../RequestContext.ts"
import { jsonResponse } from "../jsonResponse.ts"
import { requireManagementKey } from "../requireManagementKey.ts"
import { type ParameterReader, parseParameters } from "../QueryParameters.ts"
import { readJson } from "../readJson.ts"
import { readPage } from "../readPage.ts"
import { noStoreResponse } from "../noStoreResponse.ts"
import { toCurrentKeyResponse, toKeyResponse } from "../toKeyResponse.ts"

export const keysHandlers = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const counters = yield* SpendCounters
  const { rateLimit } = yield* Settings

  /** Of a caller whose key is not kept here. */
  const getCallerSpend = Effect.fnUntraced(function* (caller: Caller) {
    const subject = Subject.fromCaller(caller)
    const spends = yield* counters.findSpend([subject], yield* Clock.currentTimeMillis)
    return { spend: spends.get(subject) ?? noSpend }
  })

  return {
    list: requireManagementKey(({ caller, query }) =>
      Effect.flatMap(Effect.fromResult(parseParameters(query, readList)), ({ asked, page }) =>
        Effect.map(keys.list(caller, asked, page), ({ rows, total }) =>
          jsonResponse({ data: rows.map(toKeyResponse), total_count: total })
        )
      )
    ),
    create: requireManagementKey(({ caller, request }) =>
      Effect.flatMap(readNew(request), (config) =>
        Effect.map(keys.create(caller, config), (issued) =>
          noStoreResponse(toIssuedKeyResponse(issued), 201)
        )
      )
    ),
    get: requireManagementKey((asked) =>
      Effect.map(keys.get(asked.caller, getKeyHash(asked)), (found) =>
        jsonResponse({ data: toKeyResponse(found) })
      )
    ),
    update: requireManagementKey((asked) =>
      Effect.flatMap(readPatch(asked.request), (patch) =>
        Effect.map(keys.update(asked.caller, getKeyHash(asked), patch), (changed) =>
          jsonResponse({ data: toKeyResponse(changed) })
        )
      )
    ),
    delete: requireManagementKey((asked) =>
      Effect.as(keys.remove(asked.caller, getKeyHash(asked)), jsonResponse({ deleted: true }))
    ),
    current: ({ caller }) =>
      Effect.map(
        caller.keyHash === undefined
          ? getCallerSpend(caller)
          : // A host may let callers in by keys of its own.
            Effect.catchTag(keys.get(caller, caller.keyHash), "ResourceNotFound", () =>
              getCallerSpend(caller)
            ),
        (found) => jsonResponse({ data: toCurrentKeyResponse(caller, found, rateLimit) })
      ),
    rotate: requireManagementKey((asked) =>
      Effect.flatMap(readRotation(asked.request), ({ grace_seconds = 0 }) =>
        Effect.map(keys.rotate(asked.caller, getKeyHash(asked), grace_seconds), (issued) =>
          noStoreResponse(toIssuedKeyResponse(issued))
        )
      )
    ),
    rateLimit: requireManagementKey((asked) =>
      Effect.flatMap(readRateLimit(asked.request), ({ rate_limit }) =>
        Effect.map(keys.setRateLimit(asked.caller, getKeyHash(asked), rate_limit), (changed) =>
          jsonResponse({ data: toKeyResponse(changed) })
        )
      )
    )
  } satisfies Handlers<typeof KeysApi>
})

const readNew = readJson(NewKey)
const readPatch = readJson(KeyPatch)
const readRotation = readJson(RotateKeyRequest, { whenEmpty: "{}" })
const readRateLimit = readJson(KeyRateLimitRequest)

const readList = (read: ParameterReader) => ({
  asked: {
    includeDisabled: read.oneOf("include_disabled", ["true", "false"]) === "true",
    workspace: read.text("workspace_id")
  },
  // Clients have no way to ask for more than they get.
  page: readPage(read, 100)
})

const getKeyHash = ({ params }: RequestContext): string => params["hash"] ?? ""

const toIssuedKeyResponse = (issued: IssuedKey) => ({
  data: toKeyResponse(issued),
  key: Redacted.value(issued.secret)
})
