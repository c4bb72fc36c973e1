/** Handlers of the operations on workspaces, members and budgets. */
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { toInterval } from "../../tenants/workspaces/Budget.ts"
import { Workspaces } from "../../tenants/workspaces/Workspaces.ts"
import { deletedResponse, toPageResponse } from "../contract/envelopes.ts"
import { toOffsetRequest } from "../contract/pageQueries.ts"
import {
  toWorkspaceResponse,
  type CreateWorkspaceRequest,
  type UpdateWorkspaceRequest,
  type WorkspacesApi
} from "./WorkspacesApi.ts"
import type { Handlers } from "../operation/Handler.ts"
import { resourceHandlers } from "../operation/resourceHandlers.ts"

export const workspacesHandlers = Effect.gen(function* () {
  const workspaces = yield* Workspaces

  return {
    ...resourceHandlers(
      "id",
      {
        ...workspaces,
        create: (caller, payload: typeof CreateWorkspaceRequest.Type) =>
          workspaces.create(caller, Struct.omit(payload, ["disabled_server_tools"])),
        update: (caller, id, payload: typeof UpdateWorkspaceRequest.Type) =>
          workspaces.update(caller, id, Struct.omit(payload, ["disabled_server_tools"]))
      },
      toWorkspaceResponse
    ),
    listMembers: ({ params, query }, { caller }) =>
      Effect.map(workspaces.listMembers(caller, params.id, toOffsetRequest(query)), (page) =>
        toPageResponse(page)
      ),
    addMembers: ({ params, payload }, { caller }) =>
      Effect.map(workspaces.addMembers(caller, params.id, payload.user_ids), (added) => ({
        data: added,
        added_count: added.length
      })),
    removeMembers: ({ params, payload }, { caller }) =>
      Effect.map(workspaces.removeMembers(caller, params.id, payload.user_ids), (count) => ({
        removed_count: count
      })),
    listBudgets: ({ params }, { caller }) =>
      Effect.map(
        workspaces.getBudgets(caller, params.workspace_ref),
        ({ budgets, include_byok_in_budgets }) => ({ data: budgets, include_byok_in_budgets })
      ),
    getBudget: Effect.fnUntraced(function* ({ params: { interval, workspace_ref } }, { caller }) {
      const { budgets, include_byok_in_budgets } = yield* workspaces.getBudgets(
        caller,
        workspace_ref
      )
      const data = budgets.find((each) => toInterval(each) === interval)
      if (data === undefined)
        return yield* new ResourceNotFound({ resource: "budget", id: interval })
      return { data, include_byok_in_budgets }
    }),
    setBudget: Effect.fnUntraced(function* (
      { params: { interval, workspace_ref }, payload },
      { caller }
    ) {
      const data = yield* workspaces.putBudget(caller, workspace_ref, interval, payload)
      const { include_byok_in_budgets } = yield* workspaces.getBudgets(caller, workspace_ref)
      return { data, include_byok_in_budgets }
    }),
    deleteBudget: ({ params: { interval, workspace_ref } }, { caller }) =>
      Effect.as(workspaces.removeBudget(caller, workspace_ref, interval), deletedResponse)
  } satisfies Handlers<typeof WorkspacesApi>
})
