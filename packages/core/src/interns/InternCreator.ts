/** Makes interns, each once, however often and by how many at once it is asked for. */
import * as Clock from "effect/Clock"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { Caller } from "../auth/Caller.ts"
import { DurableJobs } from "../jobs/DurableJobs.ts"
import { Audit } from "../observability/Audit.ts"
import { Settings } from "../Settings.ts"
import { InvalidRequest } from "../values/errors/RequestErrors.ts"
import type { UserId } from "../values/ids/UserId.ts"
import * as VaultId from "../vaults/VaultId.ts"
import { VaultStore } from "../vaults/VaultStore.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { makeInternUpdater } from "./tasks/InternUpdater.ts"
import type { Intern } from "./Intern.ts"
import {
  CreationBusy,
  IdempotencyKeyReused,
  type NameTaken,
  NoActingUser,
  UpstreamUnavailable,
  WrongStatus
} from "./InternErrors.ts"
import { InternHostService } from "./host/InternHost.ts"
import * as InternId from "./InternId.ts"
import type { NewIntern } from "./InternRequest.ts"
import { InternStore } from "./InternStore.ts"
import {
  makeFirstStep,
  makeFirstTask,
  storeMarginMillis,
  makeInternJobKind,
  toJobOffer
} from "./tasks/InternTask.ts"
import { toInitialStatus, isDeleting } from "./lifecycle.ts"
import { markReady, makeInternPreparer } from "./tasks/InternPreparer.ts"
import { toInternResponse } from "./toInternResponse.ts"
import { toQuotas } from "../workspaces/quotas.ts"
import { type QuotaExceeded, enforceQuota } from "../values/enforceQuota.ts"

/** How the creation of an intern fails. */
export type CreateInternError =
  | NoActingUser
  | InvalidRequest
  | NameTaken
  | IdempotencyKeyReused
  | CreationBusy
  | WrongStatus
  | QuotaExceeded
  | UpstreamUnavailable

/** An intern, and whether this call finished it. */
export interface CreatedIntern {
  readonly intern: Intern
  /** Whether this request finished it; false: one before it did. */
  readonly isNew: boolean
}

/** What a request comes to, and under what it is known. */
interface RequestIdentity {
  readonly fingerprint: string
  readonly key: string
}

export const makeInternCreator = Effect.gen(function* () {
  const audit = yield* Audit
  const { change, claim, release } = yield* makeInternUpdater
  const digest = yield* Digest.Digest
  const host = yield* InternHostService
  const jobs = yield* DurableJobs
  const kind = yield* makeInternJobKind
  const settings = yield* Settings
  const quotas = toQuotas(settings)
  const { setUp } = yield* makeInternPreparer
  const store = yield* InternStore
  const vaults = yield* VaultStore
  const workspaces = yield* Workspaces

  const hash = (parts: ReadonlyArray<unknown>) =>
    digest.digestHex(Digest.sha256, encoder.encode(JSON.stringify(parts)))

  /** Known to this user alone, and for this operation. Without a key the request is its own. */
  const toRequestIdentity = Effect.fnUntraced(function* (
    { account, user, workspace }: Caller,
    request: NewIntern,
    key: string | undefined
  ): Effect.fn.Return<RequestIdentity> {
    const { description, instructions, name, provision, vault_id } = fillDefaults(request)
    const fingerprint = yield* hash([name, description, instructions, provision, vault_id])
    const identity = key === undefined ? { fingerprint } : { key }
    return {
      fingerprint,
      key: yield* hash(["interns.create", account, workspace, user, identity])
    }
  })

  const makeIntern = Effect.fnUntraced(function* (
    { account, workspace }: Caller,
    creator: UserId,
    request: NewIntern,
    asked: RequestIdentity
  ) {
    const { description, instructions, name, provision, vault_id } = fillDefaults(request)
    if (vault_id !== null && !isVaultId(vault_id)) return yield* failNotLendable()
    const at = yield* Clock.currentTimeMillis
    const intern: Intern = {
      id: yield* InternId.next,
      version: 1,
      account,
      workspace,
      creator,
      name,
      description,
      instructions,
      model: null,
      status: toInitialStatus(provision, host),
      progress: null,
      lastFailureMessage: null,
      hostname: null,
      vault: yield* VaultId.next,
      attachedVault: vault_id,
      createdAt: at,
      updatedAt: at,
      creation: { ...asked, shouldProvision: provision, isReady: false, failures: 0 },
      run: {
        number: 0,
        kind: "none",
        hasRun: false,
        name,
        model: null,
        instructions: null,
        completedSteps: 0,
        notes: []
      }
    }
    return host.prepare === undefined ? markReady(intern, at) : intern
  })

  /** With what belongs to it; or the one that is kept under its key. */
  const storeIntern = Effect.fnUntraced(function* (
    caller: Caller,
    intern: Intern,
    lapsed: Intern | undefined
  ) {
    const { account, creation, id, vault, workspace } = intern
    yield* workspaces.resolveForUpdate(caller, workspace)
    if (lapsed !== undefined) {
      yield* change(lapsed.id, (now) =>
        now.creation.key === creation.key
          ? { ...now, creation: Struct.omit(now.creation, ["key"]) }
          : undefined
      )
    }
    const kept = yield* enforceQuota(
      quotas.interns,
      (within) => store.count(account, within),
      store.add(intern).pipe(Effect.catchTag("NotLendable", failNotLendable)),
      { added: (found) => (found.id === id ? 1 : 0), within: workspace }
    )
    if (kept.id !== id) return { result: kept, target: undefined }
    yield* vaults.open({ id: vault, account, workspace, intern: id })
    if (!creation.isReady) {
      // Later than the request that waits for it.
      const delay = settings.internPrepareTimeoutMillis + storeMarginMillis
      yield* jobs.offer(kind, toJobOffer(makeFirstTask("set_up", kept), delay))
    } else if (kept.run.kind === "provision") {
      yield* jobs.offer(kind, toJobOffer(makeFirstStep(kept)))
    }
    return { result: kept, target: id, after: toInternResponse(kept) }
  })

  /** The one that is kept under the key, and whether the key stands for it still. */
  const findByKey = Effect.fnUntraced(function* (key: string) {
    const found = yield* store.findByCreationKey(key)
    if (found === undefined) return { kept: undefined, lapsed: undefined }
    const until = found.createdAt + settings.internIdempotencyKeyRetentionMillis
    return found.creation.isReady && until <= (yield* Clock.currentTimeMillis)
      ? { kept: undefined, lapsed: found }
      : { kept: found, lapsed: undefined }
  })

  /**
   * Undefined while somebody else sets it up. `seenFailures`: how often that had failed when the request
   * came.
   */
  const tryFinish = Effect.fnUntraced(function* (
    id: InternId.InternId,
    owner: string,
    seenFailures: number
  ): Effect.fn.Return<CreatedIntern | undefined, CreationBusy | UpstreamUnavailable | WrongStatus> {
    const now = yield* store.find(id)
    if (now === undefined) return yield* new CreationBusy({ intern: id })
    const { creation, status } = now
    if (creation.isReady) return { intern: now, isNew: false }
    if (isDeleting(now)) return yield* new WrongStatus({ status, event: "begin" })
    // Whoever was waited for has failed.
    if (creation.failures > seenFailures) {
      return yield* new UpstreamUnavailable({ intern: id, problem: creation.problem ?? "" })
    }
    const claimed = yield* claim(id, {
      owner,
      leaseMillis: settings.internPrepareTimeoutMillis + writeMarginMillis,
      isEligible: (intern) => !intern.creation.isReady && !isDeleting(intern)
    })
    if (claimed === undefined) return undefined
    const after = yield* setUp(claimed, owner).pipe(
      Effect.mapError(({ problem }) => new UpstreamUnavailable({ intern: id, problem })),
      Effect.onInterrupt(() => release(id, owner))
    )
    return after === undefined
      ? yield* new CreationBusy({ intern: id })
      : { intern: after, isNew: true }
  })

  /** `isMine`: this request made it. */
  const finish = Effect.fnUntraced(function* (intern: Intern, isMine: boolean) {
    const { creation, id } = intern
    if (creation.isReady) return { intern, isNew: isMine }
    const by = SecureRandom.uuidV4Unsafe()
    const until = (yield* Clock.currentTimeMillis) + settings.internCreateTimeoutMillis
    while (true) {
      const finished = yield* tryFinish(id, by, creation.failures)
      if (finished !== undefined) return finished
      if ((yield* Clock.currentTimeMillis) >= until) return yield* new CreationBusy({ intern: id })
      yield* Effect.sleep(pollIntervalMillis)
    }
  })

  return Effect.fnUntraced(function* (
    caller: Caller,
    request: NewIntern,
    key?: string
  ): Effect.fn.Return<CreatedIntern, CreateInternError> {
    const { kind: callerKind, user } = caller
    if (user === undefined || callerKind === "organization") return yield* new NoActingUser()
    const asked = yield* toRequestIdentity(caller, request, key)
    const { kept, lapsed } = yield* findByKey(asked.key)
    if (kept !== undefined) return yield* finish(yield* requireSameRequest(kept, asked), false)
    const intern = yield* makeIntern(caller, user, request, asked)
    const result = yield* audit.change(caller, "intern.create", storeIntern(caller, intern, lapsed))
    return yield* finish(yield* requireSameRequest(result, asked), result.id === intern.id)
  })
})

const encoder = new TextEncoder()

const isVaultId = Schema.is(VaultId.VaultId)

/**
 * Milliseconds to write down that it is set up. When a process ends before, whoever asks again waits until its
 * claim lapses: less long than a create may wait.
 */
const writeMarginMillis = 5_000

/** Milliseconds between two looks at what somebody else is doing. */
const pollIntervalMillis = 100

const fillDefaults = ({
  description = null,
  instructions = null,
  name,
  provision = false,
  vault_id
}: NewIntern) => ({ description, instructions, name, provision, vault_id: vault_id ?? null })

const failNotLendable = () =>
  Effect.fail(
    new InvalidRequest({
      path: ["vault_id"],
      problem: "no other intern of the workspace owns such a vault"
    })
  )

const requireSameRequest = (kept: Intern, { fingerprint }: RequestIdentity) =>
  kept.creation.fingerprint === fingerprint
    ? Effect.succeed(kept)
    : Effect.fail(new IdempotencyKeyReused())
