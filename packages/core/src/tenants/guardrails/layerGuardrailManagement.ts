/** Manages guardrails and their assignments; every change is in the audit log. */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { Audit } from "../../engine/observability/audit/Audit.ts"
import type { Actor } from "../../values/Actor.ts"
import { InvalidRequest, ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { KeyHash, WorkspaceId } from "../../values/ids/Ids.ts"
import { mapPage, type OffsetRequest } from "../../values/pages/OffsetPage.ts"
import { ApiKeyStore } from "../auth/keys/ApiKeyStore.ts"
import { checkKeepContent, ContentKeeping } from "../workspaces/ContentKeeping.ts"
import { makeOwnedResource } from "../workspaces/makeOwnedResource.ts"
import { toDefaultGuardrailId } from "../workspaces/Workspace.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import type {
  Assignment,
  AssignmentKind,
  KeyAssignmentResponse,
  MemberAssignmentResponse
} from "./Assignment.ts"
import * as Guardrail from "./Guardrail.ts"
import { GuardrailManagement } from "./Guardrails.ts"
import { GuardrailStore } from "./GuardrailStore.ts"

export const layerGuardrailManagement = Layer.effect(
  GuardrailManagement,
  Effect.gen(function* () {
    const audit = yield* Audit
    const keys = yield* ApiKeyStore
    const store = yield* GuardrailStore
    const workspaces = yield* Workspaces
    const now = Effect.map(DateTime.now, DateTime.formatIso)

    /** The default guardrail of an existing workspace, before its first change stores it. */
    const makeUnwrittenDefault = Effect.fnUntraced(function* (
      actor: Actor,
      id: string,
      at: string
    ) {
      // The derivation of the id is its own inverse.
      const workspace = yield* Effect.mapError(
        workspaces.hold(actor, toDefaultGuardrailId(id)),
        () => toMissing(id)
      )
      if (workspace.default_guardrail_id !== id) return yield* toMissing(id)
      return Guardrail.makeDefault(WorkspaceId.make(workspace.id), at)
    })

    const findKey = Effect.fnUntraced(function* ({ account }: Actor, hash: string) {
      return isKeyHash(hash) ? yield* keys.find(account, hash) : undefined
    })

    /**
     * `check` runs after the assignment, which locks it: a subject that is removed concurrently takes its assignments
     * along.
     */
    const assign = Effect.fnUntraced(function* <E>(
      actor: Actor,
      id: string,
      kind: AssignmentKind,
      subjects: ReadonlyArray<string>,
      check: Effect.Effect<void, E>
    ) {
      const at = yield* now
      const assignments = Array.from(new Set(subjects), (subject): Assignment => ({
        id: SecureRandom.uuidV4Unsafe(),
        guardrail_id: id,
        kind,
        subject,
        assigned_by: actor.user ?? null,
        created_at: at
      }))
      return yield* audit.change(
        actor,
        `guardrail.${kind}s.assign`,
        Effect.gen(function* () {
          const assigned = yield* store.assign(actor.account, id, assignments)
          if (assigned === undefined) return yield* toMissing(id)
          yield* check
          const { added, replaced } = assigned
          return {
            result: added.length,
            target: added.length === 0 ? undefined : id,
            before: replaced,
            after: added
          }
        })
      )
    })

    const checkKeys = (actor: Actor, hashes: ReadonlyArray<string>) =>
      Effect.forEach(
        hashes,
        (hash, at) =>
          Effect.filterOrFail(
            findKey(actor, hash),
            (key) => key !== undefined,
            () => new InvalidRequest({ path: ["key_hashes", at], problem: "there is no such key" })
          ),
        { discard: true }
      )

    const contentKeeping = yield* ContentKeeping
    const { create, update, ...others } = yield* makeOwnedResource(GuardrailStore, {
      name: "guardrail",
      quota: "guardrails",
      make: ({ name, ...config }: Omit<Guardrail.NewGuardrail, "workspace_id">, origin) =>
        change(Guardrail.make(name, origin), config, origin.at),
      change,
      makeUnstored: makeUnwrittenDefault
    })
    const guardrails: typeof others & Pick<GuardrailManagement["Service"], "create" | "update"> = {
      ...others,
      create: (actor, config) =>
        Effect.andThen(checkKeepContent(contentKeeping, config), create(actor, config)),
      update: (actor, id, patch) =>
        Effect.andThen(checkKeepContent(contentKeeping, patch), update(actor, id, patch))
    }

    const assignments = Effect.fnUntraced(function* (
      actor: Actor,
      kind: AssignmentKind,
      id: string | undefined,
      page: OffsetRequest
    ) {
      if (id !== undefined) yield* guardrails.get(actor, id)
      return yield* store.listAssignments(actor.account, kind, id, page)
    })

    return {
      ...guardrails,
      assignKeys: Effect.fnUntraced(function* (actor, id, hashes) {
        yield* guardrails.get(actor, id)
        return yield* assign(actor, id, "key", hashes, checkKeys(actor, hashes))
      }),
      assignMembers: (actor, id, users) => assign(actor, id, "member", users, Effect.void),
      unassign: Effect.fnUntraced(function* (actor, id, kind, subjects) {
        yield* guardrails.get(actor, id)
        return yield* audit.change(
          actor,
          `guardrail.${kind}s.unassign`,
          Effect.map(store.unassign(actor.account, id, kind, subjects), (removed) => ({
            result: removed.length,
            target: removed.length === 0 ? undefined : id,
            before: removed
          }))
        )
      }),
      listKeyAssignments: Effect.fnUntraced(function* (actor, id, page) {
        const { rows, total } = yield* assignments(actor, "key", id, page)
        const told = yield* Effect.forEach(rows, (assignment) =>
          Effect.map(findKey(actor, assignment.subject), (key): KeyAssignmentResponse => ({
            ...Struct.omit(assignment, ["kind", "subject"]),
            key_hash: assignment.subject,
            key_name: key?.name ?? "",
            key_label: key?.label ?? ""
          }))
        )
        return { rows: told, total }
      }),
      listMemberAssignments: Effect.fnUntraced(function* (actor, id, page) {
        const found = yield* assignments(actor, "member", id, page)
        return mapPage(found, (assignment): MemberAssignmentResponse => ({
          ...Struct.omit(assignment, ["kind", "subject"]),
          user_id: assignment.subject,
          organization_id: actor.account
        }))
      })
    }
  })
)

const toMissing = (id: string): ResourceNotFound =>
  new ResourceNotFound({ resource: "guardrail", id })

const isKeyHash = Schema.is(KeyHash)

/** A limit and its interval are set together. */
const change = (
  before: Guardrail.Guardrail,
  patch: Guardrail.GuardrailPatch,
  at: string
): Result.Result<Guardrail.Guardrail, InvalidRequest> => {
  const { limit_usd = before.limit_usd, reset_interval } = patch
  if (limit_usd !== null && before.limit_usd === null && reset_interval === undefined) {
    return failWithout("reset_interval", "limit_usd; null never resets")
  }
  return limit_usd === null && reset_interval != null
    ? failWithout("limit_usd", "reset_interval")
    : Result.succeed(Guardrail.applyPatch(before, patch, at))
}

const failWithout = (field: string, other: string) =>
  Result.fail(
    new InvalidRequest({ path: [field], problem: `must be given together with ${other}` })
  )
