/** Handlers of guardrails and their assignments. */
import * as Effect from "effect/Effect"
import { GuardrailPatch, NewGuardrail } from "../../guardrails/Guardrail.ts"
import { Guardrails } from "../../guardrails/Guardrails.ts"
import type { Paged } from "../../values/Page.ts"
import { type GuardrailsApi, Keys, Members, toldGuardrail } from "../api/GuardrailsApi.ts"
import type { Asked, Handlers } from "../Asked.ts"
import { jsonAnswer } from "../jsonAnswer.ts"
import { managed } from "../managed.ts"
import { readParameters } from "../Parameters.ts"
import { readJson } from "../readJson.ts"
import { readPage } from "../readPage.ts"

export const guardrailsHandlers = Effect.gen(function* () {
  const guardrails = yield* Guardrails

  const keyAssignments = (asked: Asked, id: string | undefined) =>
    Effect.flatMap(pageOf(asked), (page) =>
      Effect.map(guardrails.keyAssignments(asked.caller, id, page), listAnswer)
    )
  const memberAssignments = (asked: Asked, id: string | undefined) =>
    Effect.flatMap(pageOf(asked), (page) =>
      Effect.map(guardrails.memberAssignments(asked.caller, id, page), listAnswer)
    )

  return {
    list: managed(
      Effect.fnUntraced(function* ({ caller, query }) {
        const { page, workspace } = yield* Effect.fromResult(
          readParameters(query, (read) => ({
            page: readPage(read),
            workspace: read.text("workspace_id")
          }))
        )
        const { rows, total } = yield* guardrails.list(caller, workspace, page)
        return listAnswer({ rows: rows.map(toldGuardrail), total })
      })
    ),
    create: managed(({ caller, request }) =>
      Effect.flatMap(readNew(request), (config) =>
        Effect.map(guardrails.create(caller, config), (guardrail) =>
          jsonAnswer({ data: toldGuardrail(guardrail) }, 201)
        )
      )
    ),
    get: managed((asked) =>
      Effect.map(guardrails.find(asked.caller, idOf(asked)), (guardrail) =>
        jsonAnswer({ data: toldGuardrail(guardrail) })
      )
    ),
    update: managed((asked) =>
      Effect.flatMap(readPatch(asked.request), (patch) =>
        Effect.map(guardrails.update(asked.caller, idOf(asked), patch), (guardrail) =>
          jsonAnswer({ data: toldGuardrail(guardrail) })
        )
      )
    ),
    delete: managed((asked) =>
      Effect.as(guardrails.remove(asked.caller, idOf(asked)), jsonAnswer({ deleted: true }))
    ),
    keyAssignments: managed((asked) => keyAssignments(asked, undefined)),
    memberAssignments: managed((asked) => memberAssignments(asked, undefined)),
    keyAssignmentsOf: managed((asked) => keyAssignments(asked, idOf(asked))),
    memberAssignmentsOf: managed((asked) => memberAssignments(asked, idOf(asked))),
    assignKeys: managed((asked) =>
      Effect.flatMap(readKeys(asked.request), ({ key_hashes }) =>
        Effect.map(guardrails.assignKeys(asked.caller, idOf(asked), key_hashes), assignedAnswer)
      )
    ),
    assignMembers: managed((asked) =>
      Effect.flatMap(readMembers(asked.request), ({ member_user_ids }) =>
        Effect.map(
          guardrails.assignMembers(asked.caller, idOf(asked), member_user_ids),
          assignedAnswer
        )
      )
    ),
    unassignKeys: managed((asked) =>
      Effect.flatMap(readKeys(asked.request), ({ key_hashes }) =>
        Effect.map(
          guardrails.unassign(asked.caller, idOf(asked), "key", key_hashes),
          unassignedAnswer
        )
      )
    ),
    unassignMembers: managed((asked) =>
      Effect.flatMap(readMembers(asked.request), ({ member_user_ids }) =>
        Effect.map(
          guardrails.unassign(asked.caller, idOf(asked), "member", member_user_ids),
          unassignedAnswer
        )
      )
    )
  } satisfies Handlers<typeof GuardrailsApi>
})

const readNew = readJson(NewGuardrail)
const readPatch = readJson(GuardrailPatch)
const readKeys = readJson(Keys)
const readMembers = readJson(Members)

const idOf = ({ params }: Asked): string => params["id"] ?? ""

const pageOf = ({ query }: Asked) => Effect.fromResult(readParameters(query, readPage))

const listAnswer = ({ rows, total }: Paged<object>) =>
  jsonAnswer({ data: rows, total_count: total })
const assignedAnswer = (count: number) => jsonAnswer({ assigned_count: count })
const unassignedAnswer = (count: number) => jsonAnswer({ unassigned_count: count })
