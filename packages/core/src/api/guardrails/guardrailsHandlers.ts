/** Handlers of the guardrail operations. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import { ContentChecks } from "../../routing/filters/ContentCheck.ts"
import { findFilterProblem } from "../../routing/filters/findFilterProblem.ts"
import type { ContentFilters } from "../../tenants/guardrails/ContentFilter.ts"
import { checkGuardrailNames } from "../../tenants/guardrails/checkGuardrailNames.ts"
import { Guardrails } from "../../tenants/guardrails/Guardrails.ts"
import { toPageResponse } from "../contract/envelopes.ts"
import { type GuardrailsApi, toGuardrailResponse } from "./GuardrailsApi.ts"
import { toOffsetRequest } from "../contract/pageQueries.ts"
import type { Handlers } from "../operation/Handler.ts"
import { resourceHandlers } from "../operation/resourceHandlers.ts"

export const guardrailsHandlers = Effect.gen(function* () {
  const catalog = yield* Catalog
  const guardrails = yield* Guardrails
  const checks = yield* ContentChecks
  const checkFilters = (filters: ContentFilters) =>
    Effect.suspend(() => {
      const problem = findFilterProblem(filters, checks)
      return problem === undefined ? Effect.void : Effect.fail(problem)
    })

  return {
    ...resourceHandlers(
      "id",
      {
        ...guardrails,
        create: (caller, payload) =>
          checkFilters(payload).pipe(
            Effect.andThen(checkGuardrailNames(catalog.current(), payload)),
            Effect.andThen(guardrails.create(caller, payload))
          ),
        update: (caller, id, payload) =>
          checkFilters(payload).pipe(
            Effect.andThen(Effect.option(guardrails.get(caller, id))),
            Effect.flatMap((before) =>
              checkGuardrailNames(catalog.current(), payload, Option.getOrUndefined(before))
            ),
            Effect.andThen(guardrails.update(caller, id, payload))
          )
      },
      toGuardrailResponse
    ),
    listAllKeyAssignments: ({ query }, { caller }) =>
      Effect.map(guardrails.listKeyAssignments(caller, undefined, toOffsetRequest(query)), (page) =>
        toPageResponse(page)
      ),
    listAllMemberAssignments: ({ query }, { caller }) =>
      Effect.map(
        guardrails.listMemberAssignments(caller, undefined, toOffsetRequest(query)),
        (page) => toPageResponse(page)
      ),
    listKeyAssignments: ({ params, query }, { caller }) =>
      Effect.map(guardrails.listKeyAssignments(caller, params.id, toOffsetRequest(query)), (page) =>
        toPageResponse(page)
      ),
    listMemberAssignments: ({ params, query }, { caller }) =>
      Effect.map(
        guardrails.listMemberAssignments(caller, params.id, toOffsetRequest(query)),
        (page) => toPageResponse(page)
      ),
    assignKeys: ({ params, payload }, { caller }) =>
      Effect.map(guardrails.assignKeys(caller, params.id, payload.key_hashes), toAssignedResponse),
    assignMembers: ({ params, payload }, { caller }) =>
      Effect.map(
        guardrails.assignMembers(caller, params.id, payload.member_user_ids),
        toAssignedResponse
      ),
    unassignKeys: ({ params, payload }, { caller }) =>
      Effect.map(
        guardrails.unassign(caller, params.id, "key", payload.key_hashes),
        toUnassignedResponse
      ),
    unassignMembers: ({ params, payload }, { caller }) =>
      Effect.map(
        guardrails.unassign(caller, params.id, "member", payload.member_user_ids),
        toUnassignedResponse
      )
  } satisfies Handlers<typeof GuardrailsApi>
})

const toAssignedResponse = (count: number) => ({ assigned_count: count })
const toUnassignedResponse = (count: number) => ({ unassigned_count: count })
