/** Runs a recorded request again from its kept content, as the operator who asks for it. */
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import type { ChatCompletion } from "../../domains/chat/ChatCompletion.ts"
import { Chats } from "../../domains/chat/Chats.ts"
import { decodeChatRequest } from "../../domains/chat/request/parseChatRequest.ts"
import { Contents } from "../../domains/content/Contents.ts"
import type { Decision } from "../../domains/decisions/Decision.ts"
import { Decisions } from "../../domains/decisions/Decisions.ts"
import { decodeDecisionRequest } from "../../domains/decisions/parseDecisionRequest.ts"
import type { Generation } from "../../engine/observability/generations/Generation.ts"
import { Settings } from "../../instance/Settings.ts"
import { toExplanation } from "../../routing/Explanation.ts"
import { parseInProcess } from "../../routing/parseRequest.ts"
import type { RouteObserver } from "../../routing/RouteQuery.ts"
import { type Bundle, CurrentBundles, findBundle } from "../../tenants/auth/bundles/Bundle.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { WorkspaceStore } from "../../tenants/workspaces/WorkspaceStore.ts"
import { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import type { CacheWish } from "../../routing/cache/CacheWish.ts"
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import { toOutput } from "./GenerationContent.ts"
import type { ReplayPreview, ReplayRequest, ReplayResponse } from "./ReplayResponse.ts"
import { type ReplayBody, toReplayBody } from "./toReplayBody.ts"

interface Replayed extends ReplayBody {
  readonly generation: Generation
  /** The operator in the workspace of the request, whose restrictions and limits hold. */
  readonly caller: Caller
}

/** The observer of a request, of which this makes a replay. */
interface ReplayObserver extends RouteObserver {
  replayOf?: GenerationId
  cache?: CacheWish
}

export const makeReplay = Effect.gen(function* () {
  const bundles = yield* CurrentBundles
  const chats = yield* Chats
  const contents = yield* Contents
  const decisions = yield* Decisions
  const settings = yield* Settings
  const workspaces = yield* WorkspaceStore

  const prepare = Effect.fnUntraced(function* (operator: Caller, id: string, wish: ReplayRequest) {
    const { document, generation } = yield* contents.get(operator, id)
    const made = yield* Effect.fromResult(toReplayBody(generation, document, wish))
    const workspace = yield* workspaces.findById(generation.account, generation.workspace)
    // It is deleted, and its content goes.
    if (workspace === undefined)
      return yield* new ResourceNotFound({ resource: "kept content", id })
    const bundle = yield* findBundle(bundles, workspace)
    return {
      ...made,
      generation,
      caller: toWorkspaceCaller(operator, generation.workspace, bundle)
    }
  })

  const run = ({ body, caller, operation }: Replayed, observer: RouteObserver) =>
    operation === "chat"
      ? Effect.flatMap(parseInProcess(body, settings, decodeChatRequest), (parsed) =>
          Effect.map(chats.complete(caller, parsed, observer), (answer) =>
            toRun(answer, answer.choices)
          )
        )
      : Effect.flatMap(parseInProcess(body, settings, decodeDecisionRequest), (parsed) =>
          Effect.map(decisions.submit(caller, parsed, observer), (answer) =>
            toRun(answer, answer.answers)
          )
        )

  const plan = ({ body, caller, operation }: Replayed) =>
    operation === "chat"
      ? Effect.flatMap(parseInProcess(body, settings, decodeChatRequest), (parsed) =>
          chats.plan(caller, parsed)
        )
      : Effect.flatMap(parseInProcess(body, settings, decodeDecisionRequest), (parsed) =>
          decisions.plan(caller, parsed)
        )

  return {
    preview: Effect.fnUntraced(function* (caller: Caller, id: string, wish: ReplayRequest) {
      const replayed = yield* prepare(caller, id, wish)
      const { ordered } = toExplanation(yield* plan(replayed))
      return {
        ...toCommonFields(replayed),
        endpoints: ordered.map(({ endpoint, estimated_cost: cost, model, provider }) => ({
          endpoint_id: endpoint,
          model,
          provider_name: provider,
          estimated_cost: cost ?? null
        }))
      } satisfies typeof ReplayPreview.Type
    }),
    replay: Effect.fnUntraced(function* (
      caller: Caller,
      id: string,
      wish: ReplayRequest,
      observer: ReplayObserver
    ) {
      const replayed = yield* prepare(caller, id, wish)
      observer.replayOf = replayed.generation.id
      // A kept answer would be the same one again.
      observer.cache = { isEnabled: false }
      const ran = yield* run(replayed, observer)
      return { ...toCommonFields(replayed), ...ran } satisfies typeof ReplayResponse.Type
    })
  }
})

/** A management key runs no models but here: its replays are those of the organization. */
const toWorkspaceCaller = (
  operator: Caller,
  workspace: Caller["workspace"],
  bundle: Bundle | undefined
): Caller => ({
  ...Struct.omit(operator, ["bundle"]),
  workspace,
  ...(bundle === undefined ? undefined : { bundle }),
  ...(operator.kind === "management" ? { kind: "organization", canManage: true } : undefined)
})

const toRun = (
  {
    id,
    model,
    provider,
    usage
  }: Pick<ChatCompletion | Decision, "id" | "model" | "provider" | "usage">,
  output: unknown
) => ({
  // Every answer of an instance has one; the type of Decisions allows for other servers.
  id: id ?? "",
  model,
  provider_name: provider ?? null,
  cost: usage?.cost ?? null,
  output: toOutput(output)
})

const toCommonFields = ({ generation, isRedacted, models, omittedFields }: Replayed) => ({
  replay_of: generation.id,
  workspace_id: generation.workspace,
  models,
  omitted_fields: omittedFields,
  is_redacted: isRedacted
})
