/** Handlers of customers' own credentials. */
import * as Effect from "effect/Effect"
import { CredentialPatch, NewCredential } from "../../byok/Credential.ts"
import { Credentials } from "../../byok/Credentials.ts"
import { type ByokApi, Order } from "../api/ByokApi.ts"
import type { Asked, Handlers } from "../Asked.ts"
import { jsonAnswer } from "../jsonAnswer.ts"
import { managed } from "../managed.ts"
import { type ParameterReader, readParameters } from "../Parameters.ts"
import { readJson } from "../readJson.ts"
import { readPage } from "../readPage.ts"

export const byokHandlers = Effect.gen(function* () {
  const credentials = yield* Credentials

  return {
    list: managed(({ caller, query }) =>
      Effect.flatMap(Effect.fromResult(readParameters(query, readList)), ({ asked, page }) =>
        Effect.map(credentials.list(caller, asked, page), ({ rows, total }) =>
          jsonAnswer({ data: rows, total_count: total })
        )
      )
    ),
    create: managed(({ caller, request }) =>
      Effect.flatMap(readNew(request), (config) =>
        Effect.map(credentials.create(caller, config), (data) => jsonAnswer({ data }, 201))
      )
    ),
    get: managed((asked) =>
      Effect.map(credentials.find(asked.caller, idOf(asked)), (data) => jsonAnswer({ data }))
    ),
    update: managed((asked) =>
      Effect.flatMap(readPatch(asked.request), (patch) =>
        Effect.map(credentials.update(asked.caller, idOf(asked), patch), (data) =>
          jsonAnswer({ data })
        )
      )
    ),
    delete: managed((asked) =>
      Effect.as(credentials.remove(asked.caller, idOf(asked)), jsonAnswer({ deleted: true }))
    ),
    states: managed(({ caller, query }) =>
      Effect.flatMap(Effect.fromResult(readParameters(query, readList)), ({ asked, page }) =>
        Effect.map(credentials.states(caller, asked, page), ({ rows, total }) =>
          jsonAnswer({ data: rows, total_count: total })
        )
      )
    ),
    order: managed(({ caller, request }) =>
      Effect.flatMap(readOrder(request), (data) =>
        Effect.as(credentials.arrange(caller, data.ids), jsonAnswer({ data }))
      )
    )
  } satisfies Handlers<typeof ByokApi>
})

const readNew = readJson(NewCredential)
const readPatch = readJson(CredentialPatch)
const readOrder = readJson(Order)

const idOf = ({ params }: Asked): string => params["id"] ?? ""

const readList = (read: ParameterReader) => ({
  page: readPage(read),
  asked: { workspace: read.text("workspace_id"), provider: read.text("provider") }
})
