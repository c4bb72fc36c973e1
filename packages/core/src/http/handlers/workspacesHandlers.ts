/** Handlers of workspaces, their members and budgets. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { InvalidRequest, Missing } from "../../values/RequestErrors.ts"
import { BudgetConfig, intervalOf, type Interval, intervals } from "../../workspaces/Budget.ts"
import { NewWorkspace, WorkspacePatch } from "../../workspaces/Workspace.ts"
import { Workspaces } from "../../workspaces/Workspaces.ts"
import { toldWorkspace, Users, type WorkspacesApi } from "../api/WorkspacesApi.ts"
import type { Asked, Handlers } from "../Asked.ts"
import { jsonAnswer } from "../jsonAnswer.ts"
import { managed } from "../managed.ts"
import { readParameters } from "../Parameters.ts"
import { readJson } from "../readJson.ts"
import { readPage } from "../readPage.ts"

export const workspacesHandlers = Effect.gen(function* () {
  const workspaces = yield* Workspaces

  return {
    list: managed(({ caller, query }) =>
      Effect.flatMap(Effect.fromResult(readParameters(query, readPage)), (page) =>
        Effect.map(workspaces.list(caller, page), ({ rows, total }) =>
          jsonAnswer({ data: rows.map(toldWorkspace), total_count: total })
        )
      )
    ),
    create: managed(({ caller, request }) =>
      Effect.flatMap(readNew(request), (config) =>
        Effect.map(workspaces.create(caller, config), (workspace) =>
          jsonAnswer({ data: toldWorkspace(workspace) }, 201)
        )
      )
    ),
    get: managed((asked) =>
      Effect.map(workspaces.find(asked.caller, refOf(asked)), (workspace) =>
        jsonAnswer({ data: toldWorkspace(workspace) })
      )
    ),
    update: managed((asked) =>
      Effect.flatMap(readPatch(asked.request), (patch) =>
        Effect.map(workspaces.update(asked.caller, refOf(asked), patch), (workspace) =>
          jsonAnswer({ data: toldWorkspace(workspace) })
        )
      )
    ),
    delete: managed((asked) =>
      Effect.flatMap(
        Effect.fromResult(
          readParameters(asked.query, (read) =>
            read.oneOf("confirm_default_workspace_deletion", ["true", "false"])
          )
        ),
        (confirmed) =>
          Effect.as(
            workspaces.remove(asked.caller, refOf(asked), confirmed === "true"),
            jsonAnswer({ deleted: true })
          )
      )
    ),
    members: managed((asked) =>
      Effect.flatMap(Effect.fromResult(readParameters(asked.query, readPage)), (page) =>
        Effect.map(workspaces.members(asked.caller, refOf(asked), page), ({ rows, total }) =>
          jsonAnswer({ data: rows, total_count: total })
        )
      )
    ),
    addMembers: managed((asked) =>
      Effect.flatMap(readUsers(asked.request), ({ user_ids }) =>
        Effect.map(workspaces.addMembers(asked.caller, refOf(asked), user_ids), (added) =>
          jsonAnswer({ data: added, added_count: added.length })
        )
      )
    ),
    removeMembers: managed((asked) =>
      Effect.flatMap(readUsers(asked.request), ({ user_ids }) =>
        Effect.map(workspaces.removeMembers(asked.caller, refOf(asked), user_ids), (count) =>
          jsonAnswer({ removed_count: count })
        )
      )
    ),
    budgets: managed((asked) =>
      Effect.map(
        workspaces.budgets(asked.caller, refOf(asked)),
        ({ budgets, include_byok_in_budgets }) =>
          jsonAnswer({ data: budgets, include_byok_in_budgets })
      )
    ),
    budget: managed(
      Effect.fnUntraced(function* (asked) {
        const interval = yield* Effect.fromResult(readInterval(asked))
        const { budgets, include_byok_in_budgets } = yield* workspaces.budgets(
          asked.caller,
          refOf(asked)
        )
        const budget = budgets.find((each) => intervalOf(each) === interval)
        if (budget === undefined) return yield* new Missing({ what: "budget", id: interval })
        return jsonAnswer({ data: budget, include_byok_in_budgets })
      })
    ),
    putBudget: managed(
      Effect.fnUntraced(function* (asked) {
        const interval = yield* Effect.fromResult(readInterval(asked))
        const config = yield* readBudget(asked.request)
        const data = yield* workspaces.putBudget(asked.caller, refOf(asked), interval, config)
        const { include_byok_in_budgets } = yield* workspaces.budgets(asked.caller, refOf(asked))
        return jsonAnswer({ data, include_byok_in_budgets })
      })
    ),
    deleteBudget: managed(
      Effect.fnUntraced(function* (asked) {
        const interval = yield* Effect.fromResult(readInterval(asked))
        yield* workspaces.removeBudget(asked.caller, refOf(asked), interval)
        return jsonAnswer({ deleted: true })
      })
    )
  } satisfies Handlers<typeof WorkspacesApi>
})

const readNew = readJson(NewWorkspace)
const readPatch = readJson(WorkspacePatch)
const readUsers = readJson(Users)
const readBudget = readJson(BudgetConfig)

const refOf = ({ params }: Asked): string => params["id"] ?? params["workspace_ref"] ?? ""

const readInterval = ({ params }: Asked): Result.Result<Interval, InvalidRequest> => {
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
