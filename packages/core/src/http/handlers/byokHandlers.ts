/** Handlers of customers' own credentials. */
import * as Effect from "effect/Effect"
import { CredentialPatch, NewCredential } from "../../byok/Credential.ts"
import { Credentials } from "../../byok/Credentials.ts"
import { type ByokApi, CredentialOrderRequest } from "../api/ByokApi.ts"
import type { LegacyContext, Handlers } from "../legacyHandlers.ts"
import { jsonResponse } from "../jsonResponse.ts"
import { requireManagementKey } from "../requireManagementKey.ts"
import { type ParameterReader, parseParameters } from "../QueryParameters.ts"
import { readJson } from "../readJson.ts"
import { readPage } from "../readPage.ts"

export const byokHandlers = Effect.gen(function* () {
  const credentials = yield* Credentials

  return {
    list: requireManagementKey(({ caller, query }) =>
      Effect.flatMap(Effect.fromResult(parseParameters(query, readList)), ({ asked, page }) =>
        Effect.map(credentials.list(caller, asked, page), ({ rows, total }) =>
          jsonResponse({ data: rows, total_count: total })
        )
      )
    ),
    create: requireManagementKey(({ caller, request }) =>
      Effect.flatMap(readNew(request), (config) =>
        Effect.map(credentials.create(caller, config), (data) => jsonResponse({ data }, 201))
      )
    ),
    get: requireManagementKey((asked) =>
      Effect.map(credentials.get(asked.caller, getCredentialId(asked)), (data) =>
        jsonResponse({ data })
      )
    ),
    update: requireManagementKey((asked) =>
      Effect.flatMap(readPatch(asked.request), (patch) =>
        Effect.map(credentials.update(asked.caller, getCredentialId(asked), patch), (data) =>
          jsonResponse({ data })
        )
      )
    ),
    delete: requireManagementKey((asked) =>
      Effect.as(
        credentials.remove(asked.caller, getCredentialId(asked)),
        jsonResponse({ deleted: true })
      )
    ),
    states: requireManagementKey(({ caller, query }) =>
      Effect.flatMap(Effect.fromResult(parseParameters(query, readList)), ({ asked, page }) =>
        Effect.map(credentials.listStates(caller, asked, page), ({ rows, total }) =>
          jsonResponse({ data: rows, total_count: total })
        )
      )
    ),
    order: requireManagementKey(({ caller, request }) =>
      Effect.flatMap(readOrder(request), (data) =>
        Effect.as(credentials.reorder(caller, data.ids), jsonResponse({ data }))
      )
    )
  } satisfies Handlers<typeof ByokApi>
})

const readNew = readJson(NewCredential)
const readPatch = readJson(CredentialPatch)
const readOrder = readJson(CredentialOrderRequest)

const getCredentialId = ({ params }: LegacyContext): string => params["id"] ?? ""

const readList = (read: ParameterReader) => ({
  page: readPage(read),
  asked: { workspace: read.text("workspace_id"), provider: read.text("provider") }
})
