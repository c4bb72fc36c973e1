/** Erases persons: revokes what they can act with, and gives their records a random name. */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import { Audit } from "../../engine/observability/audit/Audit.ts"
import { FailedRequestStore } from "../../engine/observability/failures/FailedRequest.ts"
import { Generations } from "../../engine/observability/generations/Generations.ts"
import { GenerationStore } from "../../engine/observability/generations/GenerationStore.ts"
import { ResponseCacheStore } from "../../engine/cache/ResponseCacheStore.ts"
import { SpendCounters } from "../../engine/ledger/SpendCounters.ts"
import type { ApiKey } from "../../tenants/auth/keys/ApiKey.ts"
import { ApiKeyCache } from "../../tenants/auth/keys/ApiKeyCache.ts"
import { ApiKeys } from "../../tenants/auth/keys/ApiKeys.ts"
import { ApiKeyStore } from "../../tenants/auth/keys/ApiKeyStore.ts"
import { CredentialStore } from "../../tenants/byok/CredentialStore.ts"
import { GuardrailStore } from "../../tenants/guardrails/GuardrailStore.ts"
import { everyValue } from "../../tenants/workspaces/ScopedBudget.ts"
import { ScopedBudgets } from "../../tenants/workspaces/ScopedBudgets.ts"
import { WorkspaceStore } from "../../tenants/workspaces/WorkspaceStore.ts"
import type { Actor } from "../../values/Actor.ts"
import { UserId } from "../../values/ids/Ids.ts"
import { unlimitedPage } from "../../values/pages/OffsetPage.ts"
import { Contents } from "../content/Contents.ts"
import { LegalHold, PersonHeld } from "./LegalHold.ts"
import { type Person, PersonStore, type Renaming } from "./PersonStore.ts"

/** What an erasure did. */
interface Erasure {
  /** The name in place of the person's; undefined: nothing named the person. */
  readonly pseudonym: string | undefined
  readonly keysRevoked: number
  readonly membershipsRemoved: number
  /** Records, figures, counters and other rows that have the pseudonym now, and failed requests that were deleted. */
  readonly rowsChanged: number
}

export const makePersonEraser = Effect.gen(function* () {
  const audit = yield* Audit
  const budgets = yield* ScopedBudgets
  const cachedAnswers = yield* ResponseCacheStore
  const contents = yield* Contents
  const credentials = yield* CredentialStore
  const failures = yield* FailedRequestStore
  const generations = yield* Generations
  const guardrails = yield* GuardrailStore
  const isHeld = yield* LegalHold
  const keyCache = yield* ApiKeyCache
  const keys = yield* ApiKeys
  const keyStore = yield* ApiKeyStore
  const records = yield* GenerationStore
  const spend = yield* SpendCounters
  const store = yield* PersonStore
  const workspaces = yield* WorkspaceStore

  const revokeKeys = Effect.fnUntraced(function* (
    actor: Actor,
    { account, kind, name, pseudonym }: Renaming
  ) {
    const { rows } = yield* keyStore.list(account, { includeDisabled: true }, unlimitedPage)
    const isTheirs = (key: ApiKey): boolean =>
      kind === "user" ? key.user === name : key.external_user === name
    const theirs = rows.filter(isTheirs)
    for (const { hash } of theirs) yield* Effect.ignore(keys.remove(actor, hash))
    const made = kind === "user" ? rows.filter((key) => key.creator_user_id === name) : []
    let renamed = 0
    for (const { hash } of made) {
      const after = yield* keyStore.update(account, hash, (key) => ({
        ...key,
        creator_user_id: pseudonym
      }))
      if (after === undefined) continue
      yield* keyCache.invalidate(after)
      renamed++
    }
    return { revoked: theirs.length, renamed }
  })

  /** Memberships and assignments end, because they cannot pass to another person. */
  const leaveWorkspaces = Effect.fnUntraced(function* ({ account, name, pseudonym }: Renaming) {
    const { rows } = yield* workspaces.list(account, unlimitedPage)
    let left = 0
    let renamed = 0
    for (const { created_by, id } of rows) {
      left += (yield* workspaces.removeMembers(account, id, [name])).length
      if (created_by !== name) continue
      yield* Effect.orDie(
        workspaces.update(account, id, (workspace) => ({ ...workspace, created_by: pseudonym }))
      )
      renamed++
    }
    const unassigned = yield* guardrails.unassignAll(account, "member", [name])
    return { left, renamed: renamed + unassigned.length }
  })

  /**
   * Budgets of the person: of what an external user spends, or of a tag with the name of an acting user as its value. Callers
   * choose the names of external users: one called like a tag of the host would free others of its budget.
   */
  const removeBudgets = Effect.fnUntraced(function* (
    actor: Actor,
    { account, kind, name }: Renaming
  ) {
    // `*` is in budgets of each value, and not a person's name there.
    if (name === everyValue) return 0
    const { rows } = yield* workspaces.list(account, unlimitedPage)
    let removed = 0
    for (const { id } of rows) {
      const all = yield* workspaces.scopedBudgets.list(account, id, unlimitedPage)
      for (const { id: budget, scope } of all.rows) {
        const isTheirs =
          kind === "user"
            ? Object.values(scope.tag ?? {}).includes(name)
            : scope.external_user === name
        if (!isTheirs) continue
        yield* Effect.ignore(budgets.remove(actor, budget))
        removed++
      }
    }
    return removed
  })

  /** An entry stays, because a list without entries may mean everybody. */
  const leaveCredentials = Effect.fnUntraced(function* ({ account, name, pseudonym }: Renaming) {
    const { rows } = yield* credentials.list(account, {}, unlimitedPage)
    const naming = rows.filter(
      ({ credential }) => credential.allowed_user_ids?.includes(name) === true
    )
    for (const { credential } of naming) {
      yield* credentials.update(account, credential.id, (row) => ({
        ...row,
        credential: {
          ...row.credential,
          allowed_user_ids:
            row.credential.allowed_user_ids?.map((user) => (user === name ? pseudonym : user)) ??
            null
        }
      }))
    }
    return naming.length
  })

  /** Writes what waits in this process, which would otherwise be stored under the name later. */
  const flush = Effect.fnUntraced(function* ({ account }: Person) {
    yield* generations.flush()
    yield* contents.flush
    yield* records.list({ account }, { limit: 1 })
    yield* failures.list({ account, includesUnauthenticated: false }, 1)
    yield* spend.flush()
  })

  /** Does nothing when nothing names the person, so that it can be called again. */
  return Effect.fnUntraced(function* (actor: Actor, person: Person) {
    const { account, kind, name } = person
    const held = { account, ...(kind === "user" ? { user: name } : { externalUser: name }) }
    if (yield* Effect.promise(async () => isHeld(held))) return yield* new PersonHeld()
    const pseudonym = `erased-${SecureRandom.uuidV4Unsafe()}`
    const renaming: Renaming = { ...person, pseudonym }
    const isSelf = kind === "user" && actor.user === name
    const author: Actor = isSelf ? { ...actor, user: UserId.make(pseudonym) } : actor
    const { renamed, revoked } = yield* revokeKeys(author, renaming)
    const members = kind === "user" ? yield* leaveWorkspaces(renaming) : { left: 0, renamed: 0 }
    const budgetsRemoved = yield* removeBudgets(author, renaming)
    const shared = kind === "user" ? yield* leaveCredentials(renaming) : 0
    yield* flush(person)
    const forgotten = yield* cachedAnswers.removeAll({
      account: person.account,
      ...(kind === "user" ? { user: UserId.make(name) } : { externalUser: name })
    })
    const named = renamed + members.renamed + shared + budgetsRemoved + forgotten
    const changed = named + (yield* store.rename(renaming))
    const isKnown = revoked + members.left + changed > 0
    const erasure: Erasure = {
      pseudonym: isKnown ? pseudonym : undefined,
      keysRevoked: revoked,
      membershipsRemoved: members.left,
      rowsChanged: changed
    }
    return yield* audit.change(
      author,
      "person.erase",
      Effect.succeed({
        result: erasure,
        target: erasure.pseudonym,
        after: {
          kind,
          keys_revoked: revoked,
          memberships_removed: members.left,
          rows_changed: changed
        }
      })
    )
  })
})
