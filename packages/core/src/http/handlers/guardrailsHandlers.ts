/** Handlers of guardrails and their assignments. */
import * as Effect from "effect/Effect"
import { GuardrailPatch, NewGuardrail } from "../../guardrails/Guardrail.ts"
import { Guardrails } from "../../guardrails/Guardrails.ts"
import type { OffsetPage } from "../../values/pages/OffsetPage.ts"
import {
  type GuardrailsApi,
  KeyHashesRequest,
  MemberIdsRequest,
  toGuardrailResponse
} from "../api/GuardrailsApi.ts"
import type { LegacyContext, Handlers } from "../legacyHandlers.ts"
import { jsonResponse } from "../jsonResponse.ts"
import { requireManagementKey } from "../requireManagementKey.ts"
import { parseParameters } from "../QueryParameters.ts"
import { readJson } from "../readJson.ts"
import { readPage } from "../readPage.ts"

export const guardrailsHandlers = Effect.gen(function* () {
  const guardrails = yield* Guardrails

  const keyAssignments = (asked: LegacyContext, id: string | undefined) =>
    Effect.flatMap(readPageQuery(asked), (page) =>
      Effect.map(guardrails.listKeyAssignments(asked.caller, id, page), pageResponse)
    )
  const memberAssignments = (asked: LegacyContext, id: string | undefined) =>
    Effect.flatMap(readPageQuery(asked), (page) =>
      Effect.map(guardrails.listMemberAssignments(asked.caller, id, page), pageResponse)
    )

  return {
    list: requireManagementKey(
      Effect.fnUntraced(function* ({ caller, query }) {
        const { page, workspace } = yield* Effect.fromResult(
          parseParameters(query, (read) => ({
            page: readPage(read),
            workspace: read.text("workspace_id")
          }))
        )
        const { rows, total } = yield* guardrails.list(caller, workspace, page)
        return pageResponse({ rows: rows.map(toGuardrailResponse), total })
      })
    ),
    create: requireManagementKey(({ caller, request }) =>
      Effect.flatMap(readNew(request), (config) =>
        Effect.map(guardrails.create(caller, config), (guardrail) =>
          jsonResponse({ data: toGuardrailResponse(guardrail) }, 201)
        )
      )
    ),
    get: requireManagementKey((asked) =>
      Effect.map(guardrails.get(asked.caller, getGuardrailId(asked)), (guardrail) =>
        jsonResponse({ data: toGuardrailResponse(guardrail) })
      )
    ),
    update: requireManagementKey((asked) =>
      Effect.flatMap(readPatch(asked.request), (patch) =>
        Effect.map(guardrails.update(asked.caller, getGuardrailId(asked), patch), (guardrail) =>
          jsonResponse({ data: toGuardrailResponse(guardrail) })
        )
      )
    ),
    delete: requireManagementKey((asked) =>
      Effect.as(
        guardrails.remove(asked.caller, getGuardrailId(asked)),
        jsonResponse({ deleted: true })
      )
    ),
    keyAssignments: requireManagementKey((asked) => keyAssignments(asked, undefined)),
    memberAssignments: requireManagementKey((asked) => memberAssignments(asked, undefined)),
    keyAssignmentsOf: requireManagementKey((asked) => keyAssignments(asked, getGuardrailId(asked))),
    memberAssignmentsOf: requireManagementKey((asked) =>
      memberAssignments(asked, getGuardrailId(asked))
    ),
    assignKeys: requireManagementKey((asked) =>
      Effect.flatMap(readKeys(asked.request), ({ key_hashes }) =>
        Effect.map(
          guardrails.assignKeys(asked.caller, getGuardrailId(asked), key_hashes),
          assignedResponse
        )
      )
    ),
    assignMembers: requireManagementKey((asked) =>
      Effect.flatMap(readMembers(asked.request), ({ member_user_ids }) =>
        Effect.map(
          guardrails.assignMembers(asked.caller, getGuardrailId(asked), member_user_ids),
          assignedResponse
        )
      )
    ),
    unassignKeys: requireManagementKey((asked) =>
      Effect.flatMap(readKeys(asked.request), ({ key_hashes }) =>
        Effect.map(
          guardrails.unassign(asked.caller, getGuardrailId(asked), "key", key_hashes),
          unassignedResponse
        )
      )
    ),
    unassignMembers: requireManagementKey((asked) =>
      Effect.flatMap(readMembers(asked.request), ({ member_user_ids }) =>
        Effect.map(
          guardrails.unassign(asked.caller, getGuardrailId(asked), "member", member_user_ids),
          unassignedResponse
        )
      )
    )
  } satisfies Handlers<typeof GuardrailsApi>
})

const readNew = readJson(NewGuardrail)
const readPatch = readJson(GuardrailPatch)
const readKeys = readJson(KeyHashesRequest)
const readMembers = readJson(MemberIdsRequest)

const getGuardrailId = ({ params }: LegacyContext): string => params["id"] ?? ""

const readPageQuery = ({ query }: LegacyContext) =>
  Effect.fromResult(parseParameters(query, readPage))

const pageResponse = ({ rows, total }: OffsetPage<object>) =>
  jsonResponse({ data: rows, total_count: total })
const assignedResponse = (count: number) => jsonResponse({ assigned_count: count })
const unassignedResponse = (count: number) => jsonResponse({ unassigned_count: count })
