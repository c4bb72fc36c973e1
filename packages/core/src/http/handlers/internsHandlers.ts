/** Handlers of interns. */
import * as Effect from "effect/Effect"
import type { Caller } from "../../auth/Caller.ts"
import { InternPatch } from "../../interns/InternRequest.ts"
import { Interns } from "../../interns/Interns.ts"
import { InternStatus } from "../../interns/InternStatus.ts"
import { toldIntern } from "../../interns/toldIntern.ts"
import { Settings } from "../../Settings.ts"
import { InvalidRequest } from "../../values/RequestErrors.ts"
import { CreateIntern, DeleteIntern, type InternsApi } from "../api/InternsApi.ts"
import type { Asked, Handler, Handlers } from "../Asked.ts"
import { OtherWorkspace } from "../HttpErrors.ts"
import { inTime } from "../inTime.ts"
import { internDoors } from "../internDoors.ts"
import { jsonAnswer } from "../jsonAnswer.ts"
import { ofKeyedWorkspace } from "../ofKeyedWorkspace.ts"
import { type ParameterReader, readParameters } from "../Parameters.ts"
import { readInternBody, readNoBody } from "../readInternBody.ts"
import { scrolledAnswer } from "../scrolledAnswer.ts"

export const internsHandlers = Effect.gen(function* () {
  const behindDoors = yield* internDoors
  const interns = yield* Interns
  const { internWorkspaceFromKey } = yield* Settings
  const bounded = yield* inTime

  /** In time, through the doors, with a key of a workspace. */
  const guarded = (handler: Handler): Handler => {
    const inner = behindDoors(ofKeyedWorkspace(handler))
    return (asked) => bounded(inner(asked))
  }

  return {
    create: guarded(
      Effect.fnUntraced(function* ({ caller, request }) {
        const key = request.headers["idempotency-key"]
        if (key !== undefined && !(key.length >= 1 && key.length <= 255)) {
          return yield* invalid("idempotency-key", "must have 1 to 255 characters")
        }
        const { workspace_id, ...wanted } = yield* readCreate(request)
        if (workspace_id === undefined && !internWorkspaceFromKey) {
          return yield* invalid("workspace_id", "missing")
        }
        yield* ofKey(caller, workspace_id)
        const { intern, isNew } = yield* interns.create(caller, wanted, key)
        return jsonAnswer(toldIntern(intern), isNew ? 201 : 200)
      })
    ),
    list: guarded(
      Effect.fnUntraced(function* ({ caller, query }) {
        const { scroll, statuses, workspace } = yield* Effect.fromResult(
          readParameters(query, readQuery)
        )
        yield* ofKey(caller, workspace)
        return scrolledAnswer(yield* interns.list(caller, statuses, scroll), toldIntern)
      })
    ),
    get: guarded((asked) =>
      Effect.map(interns.find(asked.caller, idOf(asked)), (intern) =>
        jsonAnswer(toldIntern(intern))
      )
    ),
    update: guarded(
      Effect.fnUntraced(function* (asked) {
        const patch = yield* readPatch(asked.request)
        return jsonAnswer(toldIntern(yield* interns.update(asked.caller, idOf(asked), patch)))
      })
    ),
    delete: guarded(
      Effect.fnUntraced(function* (asked) {
        const { acknowledge_workspace_loss: acknowledgesLoss = false } = yield* readDelete(
          asked.request
        )
        yield* interns.destroy(asked.caller, idOf(asked), { acknowledgesLoss })
        return jsonAnswer({ deleting: true }, 202)
      })
    ),
    provision: guarded(
      Effect.fnUntraced(function* (asked) {
        yield* readNoBody(asked.request)
        yield* interns.provision(asked.caller, idOf(asked))
        return jsonAnswer({ provisioning: true }, 202)
      })
    ),
    suspend: guarded(
      Effect.fnUntraced(function* (asked) {
        yield* readNoBody(asked.request)
        yield* interns.suspend(asked.caller, idOf(asked))
        return jsonAnswer({ suspended: true })
      })
    )
  } satisfies Handlers<typeof InternsApi>
})

const readCreate = readInternBody(CreateIntern)
const readPatch = readInternBody(InternPatch)
const readDelete = readInternBody(DeleteIntern, "{}")

const idOf = ({ params }: Asked): string => params["internId"] ?? ""

const invalid = (place: string, problem: string) =>
  Effect.fail(new InvalidRequest({ path: [place], problem }))

/** The workspace that is named, if one is, must be that of the key. */
const ofKey = ({ workspace }: Caller, named: string | undefined) =>
  named === undefined || named === workspace ? Effect.void : Effect.fail(new OtherWorkspace())

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
