/** Handlers of interns. */
import * as Effect from "effect/Effect"
import type { Caller } from "../../auth/Caller.ts"
import { InternPatch } from "../../interns/InternRequest.ts"
import { Interns } from "../../interns/Interns.ts"
import { InternStatus } from "../../interns/InternStatus.ts"
import { toInternResponse } from "../../interns/toInternResponse.ts"
import { Settings } from "../../Settings.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { CreateInternRequest, DeleteInternRequest, type InternsApi } from "../api/InternsApi.ts"
import type { LegacyContext, Handler, Handlers } from "../legacyHandlers.ts"
import { WorkspaceMismatch } from "../HttpErrors.ts"
import { makeWithTimeout } from "../makeWithTimeout.ts"
import { makeLegacyInternAccess } from "../InternAccess.ts"
import { jsonResponse } from "../jsonResponse.ts"
import { requireWorkspaceKey } from "../requireWorkspaceKey.ts"
import { type ParameterReader, parseParameters } from "../QueryParameters.ts"
import { readInternBody, requireEmptyBody } from "../readInternBody.ts"
import { cursorPageResponse } from "../cursorPageResponse.ts"

export const internsHandlers = Effect.gen(function* () {
  const requireInternAccess = yield* makeLegacyInternAccess
  const interns = yield* Interns
  const { internWorkspaceFromKey } = yield* Settings
  const withTimeout = yield* makeWithTimeout

  /** In time, through the doors, with a key of a workspace. */
  const guarded = (handler: Handler): Handler => {
    const inner = requireInternAccess(requireWorkspaceKey(handler))
    return (asked) => withTimeout(inner(asked))
  }

  return {
    create: guarded(
      Effect.fnUntraced(function* ({ caller, request }) {
        const key = request.headers["idempotency-key"]
        if (key !== undefined && !(key.length >= 1 && key.length <= 255)) {
          return yield* failInvalid("idempotency-key", "must have 1 to 255 characters")
        }
        const { workspace_id, ...wanted } = yield* readCreate(request)
        if (workspace_id === undefined && !internWorkspaceFromKey) {
          return yield* failInvalid("workspace_id", "missing")
        }
        yield* requireKeyWorkspace(caller, workspace_id)
        const { intern, isNew } = yield* interns.create(caller, wanted, key)
        return jsonResponse(toInternResponse(intern), isNew ? 201 : 200)
      })
    ),
    list: guarded(
      Effect.fnUntraced(function* ({ caller, query }) {
        const { scroll, statuses, workspace } = yield* Effect.fromResult(
          parseParameters(query, readQuery)
        )
        yield* requireKeyWorkspace(caller, workspace)
        return cursorPageResponse(yield* interns.list(caller, statuses, scroll), toInternResponse)
      })
    ),
    get: guarded((asked) =>
      Effect.map(interns.find(asked.caller, getInternId(asked)), (intern) =>
        jsonResponse(toInternResponse(intern))
      )
    ),
    update: guarded(
      Effect.fnUntraced(function* (asked) {
        const patch = yield* readPatch(asked.request)
        return jsonResponse(
          toInternResponse(yield* interns.update(asked.caller, getInternId(asked), patch))
        )
      })
    ),
    delete: guarded(
      Effect.fnUntraced(function* (asked) {
        const { acknowledge_workspace_loss: acknowledgesLoss = false } = yield* readDelete(
          asked.request
        )
        yield* interns.destroy(asked.caller, getInternId(asked), { acknowledgesLoss })
        return jsonResponse({ deleting: true }, 202)
      })
    ),
    provision: guarded(
      Effect.fnUntraced(function* (asked) {
        yield* requireEmptyBody(asked.request)
        yield* interns.provision(asked.caller, getInternId(asked))
        return jsonResponse({ provisioning: true }, 202)
      })
    ),
    suspend: guarded(
      Effect.fnUntraced(function* (asked) {
        yield* requireEmptyBody(asked.request)
        yield* interns.suspend(asked.caller, getInternId(asked))
        return jsonResponse({ suspended: true })
      })
    )
  } satisfies Handlers<typeof InternsApi>
})

const readCreate = readInternBody(CreateInternRequest)
const readPatch = readInternBody(InternPatch)
const readDelete = readInternBody(DeleteInternRequest, "{}")

const getInternId = ({ params }: LegacyContext): string => params["internId"] ?? ""

const failInvalid = (field: string, problem: string) =>
  Effect.fail(new InvalidRequest({ path: [field], problem }))

/** The workspace that is named, if one is, must be that of the key. */
const requireKeyWorkspace = ({ workspace }: Caller, named: string | undefined) =>
  named === undefined || named === workspace ? Effect.void : Effect.fail(new WorkspaceMismatch())

/** Source: interface specification, Limits; wire facts 1, Interns. The default is our choice. */
const readQuery = (read: ParameterReader) => {
  const after = read.cursor("starting_after")
  return {
    statuses: read.listOf("status", InternStatus.literals),
    workspace: read.text("workspace_id"),
    scroll: {
      limit: read.whole("limit", 1, 500) ?? 100,
      ...(after === undefined ? undefined : { after })
    }
  }
}
