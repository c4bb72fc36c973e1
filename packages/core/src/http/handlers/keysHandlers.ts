/** Handlers of API keys. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { KeyPatch, NewKey } from "../../auth/ApiKey.ts"
import { ApiKeys, type Issued } from "../../auth/ApiKeys.ts"
import type { Caller } from "../../auth/Caller.ts"
import { noSpend, SpendCounters } from "../../ledger/SpendCounters.ts"
import * as Subject from "../../ledger/Subject.ts"
import { Settings } from "../../Settings.ts"
import { type KeysApi, OwnRateLimit, Rotation } from "../api/KeysApi.ts"
import type { Asked, Handlers } from "../Asked.ts"
import { jsonAnswer } from "../jsonAnswer.ts"
import { managed } from "../managed.ts"
import { type ParameterReader, readParameters } from "../Parameters.ts"
import { readJson } from "../readJson.ts"
import { readPage } from "../readPage.ts"
import { secretAnswer } from "../secretAnswer.ts"
import { currentKey, toldKey } from "../toldKey.ts"

export const keysHandlers = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const counters = yield* SpendCounters
  const { rateLimit } = yield* Settings

  /** Of a caller whose key is not kept here. */
  const spentBy = Effect.fnUntraced(function* (caller: Caller) {
    const subject = Subject.ofCaller(caller)
    const spends = yield* counters.of([subject], yield* Clock.currentTimeMillis)
    return { spend: spends.get(subject) ?? noSpend }
  })

  return {
    list: managed(({ caller, query }) =>
      Effect.flatMap(Effect.fromResult(readParameters(query, readList)), ({ asked, page }) =>
        Effect.map(keys.list(caller, asked, page), ({ rows, total }) =>
          jsonAnswer({ data: rows.map(toldKey), total_count: total })
        )
      )
    ),
    create: managed(({ caller, request }) =>
      Effect.flatMap(readNew(request), (config) =>
        Effect.map(keys.create(caller, config), (issued) => secretAnswer(toldIssued(issued), 201))
      )
    ),
    get: managed((asked) =>
      Effect.map(keys.find(asked.caller, hashOf(asked)), (found) =>
        jsonAnswer({ data: toldKey(found) })
      )
    ),
    update: managed((asked) =>
      Effect.flatMap(readPatch(asked.request), (patch) =>
        Effect.map(keys.update(asked.caller, hashOf(asked), patch), (changed) =>
          jsonAnswer({ data: toldKey(changed) })
        )
      )
    ),
    delete: managed((asked) =>
      Effect.as(keys.remove(asked.caller, hashOf(asked)), jsonAnswer({ deleted: true }))
    ),
    current: ({ caller }) =>
      Effect.map(
        caller.keyHash === undefined
          ? spentBy(caller)
          : // A host may let callers in by keys of its own.
            Effect.catchTag(keys.find(caller, caller.keyHash), "Missing", () => spentBy(caller)),
        (found) => jsonAnswer({ data: currentKey(caller, found, rateLimit) })
      ),
    rotate: managed((asked) =>
      Effect.flatMap(readRotation(asked.request), ({ grace_seconds = 0 }) =>
        Effect.map(keys.rotate(asked.caller, hashOf(asked), grace_seconds), (issued) =>
          secretAnswer(toldIssued(issued))
        )
      )
    ),
    rateLimit: managed((asked) =>
      Effect.flatMap(readRateLimit(asked.request), ({ rate_limit }) =>
        Effect.map(keys.limitRate(asked.caller, hashOf(asked), rate_limit), (changed) =>
          jsonAnswer({ data: toldKey(changed) })
        )
      )
    )
  } satisfies Handlers<typeof KeysApi>
})

const readNew = readJson(NewKey)
const readPatch = readJson(KeyPatch)
const readRotation = readJson(Rotation, { whenEmpty: "{}" })
const readRateLimit = readJson(OwnRateLimit)

const readList = (read: ParameterReader) => ({
  asked: {
    includeDisabled: read.oneOf("include_disabled", ["true", "false"]) === "true",
    workspace: read.text("workspace_id")
  },
  // Clients have no way to ask for more than they get.
  page: readPage(read, 100)
})

const hashOf = ({ params }: Asked): string => params["hash"] ?? ""

const toldIssued = (issued: Issued) => ({
  data: toldKey(issued),
  key: Redacted.value(issued.secret)
})
