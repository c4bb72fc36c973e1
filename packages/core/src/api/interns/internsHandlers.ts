/** Handlers of the intern operations. */
import * as Effect from "effect/Effect"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { Interns } from "../../domains/interns/Interns.ts"
import { toInternResponse } from "../../domains/interns/toInternResponse.ts"
import { Settings } from "../../instance/Settings.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { toCursorPageResponse } from "../contract/envelopes.ts"
import type { InternsApi } from "./InternsApi.ts"
import { toCursorRequest } from "../contract/pageQueries.ts"
import { WorkspaceMismatch } from "../errors/HttpErrors.ts"
import type { Handlers } from "../operation/Handler.ts"
import { makeInternChatHandler } from "./internChatHandler.ts"
import { reply } from "../operation/Reply.ts"

export const internsHandlers = Effect.gen(function* () {
  const interns = yield* Interns
  const { internWorkspaceFromKey } = yield* Settings

  return {
    create: Effect.fnUntraced(function* ({ headers, payload }, { caller, isInProcess }) {
      const { workspace_id, ...wanted } = payload
      if (workspace_id === undefined && !internWorkspaceFromKey && !isInProcess) {
        return yield* new InvalidRequest({ path: ["workspace_id"], problem: "missing" })
      }
      yield* requireKeyWorkspace(caller, workspace_id)
      const { intern, isNew } = yield* interns.create(caller, wanted, headers["idempotency-key"])
      return reply(isNew ? 201 : 200, toInternResponse(intern))
    }),
    list: Effect.fnUntraced(function* ({ query }, { caller }) {
      yield* requireKeyWorkspace(caller, query.workspace_id)
      const page = yield* interns.list(caller, query.status, toCursorRequest(query))
      return toCursorPageResponse(page, toInternResponse)
    }),
    get: ({ params }, { caller }) =>
      Effect.map(interns.get(caller, params.internId), toInternResponse),
    update: ({ params, payload }, { caller }) =>
      Effect.map(interns.update(caller, params.internId, payload), toInternResponse),
    delete: ({ params, payload }, { caller }) =>
      Effect.as(
        interns.destroy(caller, params.internId, {
          acknowledgesLoss: payload.acknowledge_workspace_loss ?? false
        }),
        { deleting: true as const }
      ),
    provision: ({ params }, { caller }) =>
      Effect.as(interns.provision(caller, params.internId), { provisioning: true as const }),
    suspend: ({ params }, { caller }) =>
      Effect.as(interns.suspend(caller, params.internId), { suspended: true as const }),
    chat: yield* makeInternChatHandler
  } satisfies Handlers<typeof InternsApi>
})

/** A request may name only the workspace of its key. */
const requireKeyWorkspace = ({ workspace }: Caller, named: string | undefined) =>
  named === undefined || named === workspace ? Effect.void : Effect.fail(new WorkspaceMismatch())
