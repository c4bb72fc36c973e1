/** The guardrails of requests, and their management; every change is in the audit log. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { memoize } from "effect/Function"
import * as Layer from "effect/Layer"
import { ApiKeys } from "../auth/keys/ApiKeys.ts"
import type { Caller } from "../auth/Caller.ts"
import { Audit } from "../../engine/observability/audit/Audit.ts"
import type { Actor } from "../../values/Actor.ts"
import type { InvalidRequest, ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { importNamed, layerOnDemand } from "../../values/layerOnDemand.ts"
import type { OffsetPage, OffsetRequest } from "../../values/pages/OffsetPage.ts"
import { toDefaultGuardrailId } from "../workspaces/Workspace.ts"
import { buildBeforeDeletion } from "../workspaces/Workspaces.ts"
import type {
  AssignmentKind,
  KeyAssignmentResponse,
  MemberAssignmentResponse
} from "./Assignment.ts"
import { BundleGuardrails, makeAddBundleGuardrail } from "./BundleGuardrails.ts"
import type * as Guardrail from "./Guardrail.ts"
import { GuardrailStore, type GuardrailSubjects } from "./GuardrailStore.ts"
import type { OwnedResource } from "../../values/OwnedResource.ts"
import * as Step from "../../values/Step.ts"

/** Everything but what requests ask for, which is loaded with the first call. */
interface Management extends OwnedResource<
  Guardrail.Guardrail,
  Guardrail.NewGuardrail,
  Guardrail.GuardrailPatch
> {
  /** Returns the number of new assignments; each replaces the former guardrail of its key. */
  readonly assignKeys: (
    actor: Actor,
    id: string,
    hashes: ReadonlyArray<string>
  ) => Effect.Effect<number, InvalidRequest | ResourceNotFound>
  readonly assignMembers: (
    actor: Actor,
    id: string,
    users: ReadonlyArray<string>
  ) => Effect.Effect<number, ResourceNotFound>
  /** Returns the number of removed assignments. `subjects` are hashes of keys, or ids of members. */
  readonly unassign: (
    actor: Actor,
    id: string,
    kind: AssignmentKind,
    subjects: ReadonlyArray<string>
  ) => Effect.Effect<number, ResourceNotFound>
  /** The assignments of one guardrail, or of all. */
  readonly listKeyAssignments: (
    actor: Actor,
    id: string | undefined,
    page: OffsetRequest
  ) => Effect.Effect<OffsetPage<KeyAssignmentResponse>, ResourceNotFound>
  readonly listMemberAssignments: (
    actor: Actor,
    id: string | undefined,
    page: OffsetRequest
  ) => Effect.Effect<OffsetPage<MemberAssignmentResponse>, ResourceNotFound>
}

export class GuardrailManagement extends Context.Service<GuardrailManagement, Management>()(
  "@signalbox/core/tenants/guardrails/GuardrailManagement"
) {}

/** The guardrails of all workspaces of an account; the first change of a default guardrail stores it. */
export class Guardrails extends Context.Service<
  Guardrails,
  Management & {
    /**
     * The guardrails of a request, without duplicates: the workspace's default, the key's, the member's, and that of the
     * bundle of a customer. All of them apply.
     */
    readonly listEffective: (caller: Caller) => Effect.Effect<ReadonlyArray<Guardrail.Guardrail>>
  }
>()("@signalbox/core/tenants/guardrails/Guardrails") {
  static readonly layer = Layer.effect(
    Guardrails,
    Effect.gen(function* () {
      const audit = yield* Audit
      const keys = yield* ApiKeys
      const store = yield* GuardrailStore
      const addBundleGuardrail = makeAddBundleGuardrail(yield* BundleGuardrails)

      yield* keys.onRemove(
        Effect.fnUntraced(function* (actor, hashes) {
          const released = yield* store.unassignAll(actor.account, "key", hashes)
          for (const [id, given] of Map.groupBy(released, ({ guardrail_id }) => guardrail_id)) {
            yield* audit.change(
              actor,
              "guardrail.keys.unassign",
              Effect.succeed({
                result: undefined,
                target: id,
                before: given
              })
            )
          }
          return Effect.void
        })
      )

      return {
        ...(yield* GuardrailManagement),
        listEffective: (caller) => {
          const listing = store.listEffective(caller.account, toSubjects(caller))
          return caller.bundle === undefined
            ? listing
            : Step.map(listing, (stored) => addBundleGuardrail(caller, stored))
        }
      }
    })
  ).pipe(
    Layer.provide(
      layerOnDemand(
        GuardrailManagement,
        {
          get: "call",
          list: "call",
          create: "call",
          update: "call",
          remove: "call",
          assignKeys: "call",
          assignMembers: "call",
          unassign: "call",
          listKeyAssignments: "call",
          listMemberAssignments: "call"
        },
        importNamed(() => import("./layerGuardrailManagement.ts"), "layerGuardrailManagement"),
        buildBeforeDeletion
      )
    )
  )
}

/** Memoized, because every request of a caller asks for them. */
const toSubjects = memoize(({ keyHash, user, workspace }: Caller): GuardrailSubjects => ({
  defaultGuardrail: toDefaultGuardrailId(workspace),
  key: keyHash,
  member: user
}))
