/** Interns in process, through the same rules as on the wire; the doors of HTTP are not asked. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { NotPermitted } from "../auth/AuthErrors.ts"
import type { Caller } from "../auth/Caller.ts"
import type { CallerConfig } from "../auth/CallerConfig.ts"
import { type Callers, resolveCaller } from "../auth/Callers.ts"
import { InvalidRequest, type ResourceNotFound } from "../values/errors/RequestErrors.ts"
import { toInvalidRequest } from "../values/errors/toInvalidRequest.ts"
import type { CursorRequest, CursorPage } from "../values/pages/CursorPage.ts"
import { parseTurn } from "./chat/parseTurn.ts"
import type { CreateInternError } from "./InternCreator.ts"
import type { Intern } from "./Intern.ts"
import type { InternChatChunk } from "./chat/InternChatChunk.ts"
import { InternChatRequest } from "./chat/InternChatRequest.ts"
import { InternChats } from "./chat/InternChats.ts"
import type { LossUnacknowledged, NameTaken, WrongStatus } from "./InternErrors.ts"
import { InternPatch, NewIntern } from "./InternRequest.ts"
import { Interns } from "./Interns.ts"
import { InternStatus } from "./InternStatus.ts"
import type { InternChatError } from "./chat/InternTurn.ts"
import { type InternResponse, toInternResponse } from "./toInternResponse.ts"

/** Whose workspace is meant; default: the default one of the application's own account. */
export interface InternCallerOptions {
  readonly caller?: CallerConfig
}

export interface CreateInternOptions {
  /** It needs a `user`, to whom the intern belongs. */
  readonly caller: CallerConfig
  /** 1..255 characters; default: one that is made of the request. */
  readonly idempotencyKey?: string
}

export interface ListInternsOptions extends InternCallerOptions {
  /** Default: all. */
  readonly statuses?: ReadonlyArray<InternStatus>
  /** 1..500; default: 100. */
  readonly limit?: number
  /** The `next` of the stretch before. */
  readonly after?: number
}

export interface DestroyInternOptions extends InternCallerOptions {
  /** Destroys one whose work could not be archived. */
  readonly acknowledgesLoss?: boolean
}

export interface ChatInternOptions extends InternCallerOptions {
  readonly signal?: AbortSignal
}

/** As on the wire, but that it is always streamed. */
export type ChatInternRequest = Omit<InternChatRequest, "stream">

export interface CreateInternResult {
  readonly intern: InternResponse
  /** Whether this call finished it; false: one before it did. */
  readonly isNew: boolean
}

/** Creates an intern with its vault, once; the caller needs a `user`, to whom it belongs. */
export const createIntern: (
  request: NewIntern,
  options: CreateInternOptions
) => Effect.Effect<CreateInternResult, CreateInternError, Callers | Interns> = Effect.fnUntraced(
  function* (request, options?: Partial<CreateInternOptions>) {
    const { caller, idempotencyKey } = options ?? {}
    if (caller === undefined)
      return yield* failInvalid("caller", "missing; an intern belongs to its user")
    if (idempotencyKey !== undefined && !isCountUpTo(idempotencyKey.length, 255)) {
      return yield* failInvalid("idempotencyKey", "must have 1 to 255 characters")
    }
    const wanted = yield* Effect.mapError(decodeNewIntern(request), toInvalidRequest)
    const { create } = yield* Interns
    const { intern, isNew } = yield* create(yield* resolveCaller(caller), wanted, idempotencyKey)
    return { intern: toInternResponse(intern), isNew }
  }
)

/** Finds an intern of the caller's workspace. */
export const getIntern = (
  id: string,
  { caller }: InternCallerOptions = {}
): Effect.Effect<InternResponse, InvalidRequest | ResourceNotFound, Callers | Interns> =>
  withCaller(caller, (interns, resolved) => interns.find(resolved, id))

/** Lists the interns of the caller's workspace, newest first. */
export const listInterns: (
  options?: ListInternsOptions
) => Effect.Effect<CursorPage<InternResponse>, InvalidRequest, Callers | Interns> =
  Effect.fnUntraced(function* ({ after, caller, limit = 100, statuses } = {}) {
    if (!isCountUpTo(limit, 500))
      return yield* failInvalid("limit", "must be a whole number from 1 to 500")
    if (after !== undefined && !Number.isSafeInteger(after)) {
      return yield* failInvalid("after", "must be the next of the stretch before")
    }
    if (statuses !== undefined && !isStatusList(statuses)) {
      return yield* failInvalid("statuses", `must be a list of ${InternStatus.literals.join(", ")}`)
    }
    const scroll: CursorRequest = { limit, ...(after === undefined ? undefined : { after }) }
    const { list } = yield* Interns
    const { rows, ...rest } = yield* list(yield* resolveCaller(caller), statuses, scroll)
    return { rows: rows.map(toInternResponse), ...rest }
  })

/** Changes an intern; what is left out stays. */
export const updateIntern: (
  id: string,
  patch: InternPatch,
  options?: InternCallerOptions
) => Effect.Effect<
  InternResponse,
  InvalidRequest | ResourceNotFound | NameTaken,
  Callers | Interns
> = Effect.fnUntraced(function* (id, patch, { caller } = {}) {
  const changes = yield* Effect.mapError(decodePatch(patch), toInvalidRequest)
  const { update } = yield* Interns
  return toInternResponse(yield* update(yield* resolveCaller(caller), id, changes))
})

/** Queues an intern to boot or to resume. */
export const provisionIntern = (
  id: string,
  { caller }: InternCallerOptions = {}
): Effect.Effect<
  InternResponse,
  InvalidRequest | ResourceNotFound | WrongStatus,
  Callers | Interns
> => withCaller(caller, (interns, resolved) => interns.provision(resolved, id))

/** Stops an intern that runs. */
export const suspendIntern = (
  id: string,
  { caller }: InternCallerOptions = {}
): Effect.Effect<
  InternResponse,
  InvalidRequest | ResourceNotFound | WrongStatus,
  Callers | Interns
> => withCaller(caller, (interns, resolved) => interns.suspend(resolved, id))

/** Takes an intern down with its vault: that goes on when this succeeds. */
export const destroyIntern = (
  id: string,
  { acknowledgesLoss = false, caller }: DestroyInternOptions = {}
): Effect.Effect<
  InternResponse,
  InvalidRequest | LossUnacknowledged | ResourceNotFound | WrongStatus,
  Callers | Interns
> => withCaller(caller, (interns, resolved) => interns.destroy(resolved, id, { acknowledgesLoss }))

/** The pieces of its answer; none when what was said went into a turn that is running. */
export const chatWithIntern: (
  id: string,
  request: ChatInternRequest,
  options?: InternCallerOptions
) => Effect.Effect<
  Stream.Stream<InternChatChunk, InternChatError>,
  InternChatError | ResourceNotFound,
  Callers | InternChats | Interns | Scope.Scope
> = Effect.fnUntraced(function* (id, request, options = {}) {
  const caller = yield* resolveCaller(options.caller)
  const { kind } = caller
  if (kind === "management") {
    return yield* new NotPermitted({ kind, needs: "a key of a workspace" })
  }
  const decoded = yield* Effect.mapError(
    decodeChatRequest({ ...request, stream: true }),
    toInvalidRequest
  )
  const turn = yield* Effect.fromResult(parseTurn(decoded))
  const { find } = yield* Interns
  const { chat } = yield* InternChats
  const answer = yield* chat(caller, yield* find(caller, id), turn)
  return answer.type === "steered" ? Stream.empty : answer.chunks
})

const withCaller = <E>(
  config: CallerConfig | undefined,
  ask: (interns: Interns["Service"], caller: Caller) => Effect.Effect<Intern, E>
): Effect.Effect<InternResponse, E | InvalidRequest, Callers | Interns> =>
  Effect.gen(function* () {
    return toInternResponse(yield* ask(yield* Interns, yield* resolveCaller(config)))
  })

const decodeChatRequest = Schema.decodeUnknownEffect(InternChatRequest)
const decodeNewIntern = Schema.decodeUnknownEffect(NewIntern)
const decodePatch = Schema.decodeUnknownEffect(InternPatch)

const isStatusList = Schema.is(Schema.Array(InternStatus))

const isCountUpTo = (count: number, max: number): boolean =>
  Number.isSafeInteger(count) && count >= 1 && count <= max

const failInvalid = (option: string, problem: string) =>
  Effect.fail(new InvalidRequest({ path: [option], problem }))
