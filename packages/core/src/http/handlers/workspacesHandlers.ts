/** Handlers of workspaces, their members and budgets. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { InvalidRequest, ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { BudgetConfig, toInterval, type Interval, intervals } from "../../workspaces/Budget.ts"
import { NewWorkspace, WorkspacePatch } from "../../workspaces/Workspace.ts"
import { Workspaces } from "../../workspaces/Workspaces.ts"
import { toWorkspaceResponse, UserIdsRequest, type WorkspacesApi } from "../api/WorkspacesApi.ts"
import type { RequestContext, Handlers } from "../RequestContext.ts"
import { jsonResponse } from "../jsonResponse.ts"
import { requireManagementKey } from "../requireManagementKey.ts"
import { parseParameters } from "../QueryParameters.ts"
import { readJson } from "../readJson.ts"
import { readPage } from "../readPage.ts"

export const workspacesHandlers = Effect.gen(function* () {
  const workspaces = yield* Workspaces

  return {
    list: requireManagementKey(({ caller, query }) =>
      Effect.flatMap(Effect.fromResult(parseParameters(query, readPage)), (page) =>
        Effect.map(workspaces.list(caller, page), ({ rows, total }) =>
          jsonResponse({ data: rows.map(toWorkspaceResponse), total_count: total })
        )
      )
    ),
    create: requireManagementKey(({ caller, request }) =>
      Effect.flatMap(readNew(request), (config) =>
        Effect.map(workspaces.create(caller, config), (workspace) =>
          jsonResponse({ data: toWorkspaceResponse(workspace) }, 201)
        )
      )
    ),
    get: requireManagementKey((asked) =>
      Effect.map(workspaces.find(asked.caller, getWorkspaceRef(asked)), (workspace) =>
        jsonResponse({ data: toWorkspaceResponse(workspace) })
      )
    ),
    update: requireManagementKey((asked) =>
      Effect.flatMap(readPatch(asked.request), (patch) =>
        Effect.map(workspaces.update(asked.caller, getWorkspaceRef(asked), patch), (workspace) =>
          jsonResponse({ data: toWorkspaceResponse(workspace) })
        )
      )
    ),
    delete: requireManagementKey((asked) =>
      Effect.flatMap(
        Effect.fromResult(
          parseParameters(asked.query, (read) =>
            read.oneOf("confirm_default_workspace_deletion", ["true", "false"])
          )
        ),
        (confirmed) =>
          Effect.as(
            workspaces.remove(asked.caller, getWorkspaceRef(asked), confirmed === "true"),
            jsonResponse({ deleted: true })
          )
      )
    ),
    members: requireManagementKey((asked) =>
      Effect.flatMap(Effect.fromResult(parseParameters(asked.query, readPage)), (page) =>
        Effect.map(
          workspaces.listMembers(asked.caller, getWorkspaceRef(asked), page),
          ({ rows, total }) => jsonResponse({ data: rows, total_count: total })
        )
      )
    ),
    addMembers: requireManagementKey((asked) =>
      Effect.flatMap(readUsers(asked.request), ({ user_ids }) =>
        Effect.map(workspaces.addMembers(asked.caller, getWorkspaceRef(asked), user_ids), (added) =>
          jsonResponse({ data: added, added_count: added.length })
        )
      )
    ),
    removeMembers: requireManagementKey((asked) =>
      Effect.flatMap(readUsers(asked.request), ({ user_ids }) =>
        Effect.map(
          workspaces.removeMembers(asked.caller, getWorkspaceRef(asked), user_ids),
          (count) => jsonResponse({ removed_count: count })
        )
      )
    ),
    budgets: requireManagementKey((asked) =>
      Effect.map(
        workspaces.getBudgets(asked.caller, getWorkspaceRef(asked)),
        ({ budgets, include_byok_in_budgets }) =>
          jsonResponse({ data: budgets, include_byok_in_budgets })
      )
    ),
    budget: requireManagementKey(
      Effect.fnUntraced(function* (asked) {
        const interval = yield* Effect.fromResult(readInterval(asked))
        const { budgets, include_byok_in_budgets } = yield* workspaces.getBudgets(
          asked.caller,
          getWorkspaceRef(asked)
        )
        const budget = budgets.find((each) => toInterval(each) === interval)
        if (budget === undefined)
          return yield* new ResourceNotFound({ resource: "budget", id: interval })
        return jsonResponse({ data: budget, include_byok_in_budgets })
      })
    ),
    putBudget: requireManagementKey(
      Effect.fnUntraced(function* (asked) {
        const interval = yield* Effect.fromResult(readInterval(asked))
        const config = yield* readBudget(asked.request)
        const data = yield* workspaces.putBudget(
          asked.caller,
          getWorkspaceRef(asked),
          interval,
          config
        )
        const { include_byok_in_budgets } = yield* workspaces.getBudgets(
          asked.caller,
          getWorkspaceRef(asked)
        )
        return jsonResponse({ data, include_byok_in_budgets })
      })
    ),
    deleteBudget: requireManagementKey(
      Effect.fnUntraced(function* (asked) {
        const interval = yield* Effect.fromResult(readInterval(asked))
        yield* workspaces.removeBudget(asked.caller, getWorkspaceRef(asked), interval)
        return jsonResponse({ deleted: true })
      })
    )
  } satisfies Handlers<typeof WorkspacesApi>
})

const readNew = readJson(NewWorkspace)
const readPatch = readJson(WorkspacePatch)
const readUsers = readJson(UserIdsRequest)
const readBudget = readJson(BudgetConfig)

const getWorkspaceRef = ({ params }: RequestContext): string =>
  params["id"] ?? params["workspace_ref"] ?? ""

const readInterval = ({ params }: RequestContext): Result.Result<Interval, InvalidRequest> => {
  const interval = intervals.find((each) => each === params["interval"])
  return interval === undefined
    ? Result.fail(
        new InvalidRequest({
          path: ["interval"],
          problem: `must be one of ${intervals.join(", ")}`
        })
      )
    : Result.succeed(interval)
}
