/** Creates interns, once per idempotency key, even when requests are concurrent. */
import * as Clock from "effect/Clock"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { DurableJobs } from "../../engine/jobs/DurableJobs.ts"
import { Audit } from "../../engine/observability/audit/Audit.ts"
import { Settings } from "../../instance/Settings.ts"
import { Deadline } from "../../values/Deadline.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import type { UserId } from "../../values/ids/Ids.ts"
import * as VaultId from "../vaults/VaultId.ts"
import { VaultStore } from "../vaults/VaultStore.ts"
import { Workspaces } from "../../tenants/workspaces/Workspaces.ts"
import { InternUpdater } from "./tasks/InternUpdater.ts"
import {
  CreationBusy,
  IdempotencyKeyReused,
  type Intern,
  type NameTaken,
  NoActingUser,
  UpstreamUnavailable,
  WrongStatus
} from "./Intern.ts"
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
import { isDeleting, toInitialStatus } from "./InternStatus.ts"
import { markReady, InternPreparer } from "./tasks/InternPreparer.ts"
import { toInternResponse } from "./toInternResponse.ts"
import { toQuotas } from "../../tenants/workspaces/quotas.ts"
import { type QuotaExceeded, enforceQuota } from "../../values/enforceQuota.ts"

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

/** The result of a create. */
export interface CreatedIntern {
  readonly intern: Intern
  /** False when an earlier request had created the intern. */
  readonly isNew: boolean
}

/** Hashes of a request and of its idempotency key. */
interface RequestIdentity {
  readonly fingerprint: string
  readonly key: string
}

/** Creates interns. */
export class InternCreator extends Context.Service<
  InternCreator,
  {
    readonly create: (
      caller: Caller,
      request: NewIntern,
      key?: string
    ) => Effect.Effect<CreatedIntern, CreateInternError>
  }
>()("@signalbox/core/domains/interns/InternCreator") {
  static readonly layer = Layer.effect(
    InternCreator,
    Effect.gen(function* () {
      const audit = yield* Audit
      const { update, claim, release } = yield* InternUpdater
      const digest = yield* Digest.Digest
      const host = yield* InternHostService
      const jobs = yield* DurableJobs
      const settings = yield* Settings
      const kind = makeInternJobKind(settings)
      const quotas = toQuotas(settings)
      const { setUp } = yield* InternPreparer
      const store = yield* InternStore
      const vaults = yield* VaultStore
      const workspaces = yield* Workspaces

      const hash = (parts: ReadonlyArray<unknown>) =>
        digest.digestHex(Digest.sha256, encoder.encode(JSON.stringify(parts)))

      /** Keys are per user and operation. Without a key, the fingerprint of the request is the key. */
      const toRequestIdentity = Effect.fnUntraced(function* (
        { account, user, workspace }: Caller,
        request: NewIntern,
        key: string | undefined
      ): Effect.fn.Return<RequestIdentity> {
        const { description, instructions, name, provision, vault_id } = fillDefaults(request)
        const fingerprint = yield* hash([name, description, instructions, provision, vault_id])
        const keyed = key === undefined ? { fingerprint } : { key }
        return {
          fingerprint,
          key: yield* hash(["interns.create", account, workspace, user, keyed])
        }
      })

      const makeIntern = Effect.fnUntraced(function* (
        { account, workspace }: Caller,
        creator: UserId,
        request: NewIntern,
        identity: RequestIdentity
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
          creation: { ...identity, shouldProvision: provision, isReady: false, failures: 0 },
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

      /** Stores the intern with its vault and first task, or returns the intern that has its key. */
      const storeIntern = Effect.fnUntraced(function* (
        caller: Caller,
        intern: Intern,
        lapsed: Intern | undefined
      ) {
        const { account, creation, id, vault, workspace } = intern
        yield* workspaces.resolveForUpdate(caller, workspace)
        if (lapsed !== undefined) {
          yield* update(lapsed.id, (now) =>
            now.creation.key === creation.key
              ? { ...now, creation: Struct.omit(now.creation, ["key"]) }
              : undefined
          )
        }
        const stored = yield* enforceQuota(
          quotas.interns,
          (within) => store.count(account, within),
          store.add(intern).pipe(Effect.catchTag("NotLendable", failNotLendable)),
          { added: (found) => (found.id === id ? 1 : 0), within: workspace }
        )
        if (stored.id !== id) return { result: stored, target: undefined }
        yield* vaults.open({ id: vault, account, workspace, intern: id })
        if (!creation.isReady) {
          // After the create request has given up.
          const delay = settings.internPrepareTimeoutMillis + storeMarginMillis
          yield* jobs.offer(kind, toJobOffer(makeFirstTask("set_up", stored), delay))
        } else if (stored.run.kind === "provision") {
          yield* jobs.offer(kind, toJobOffer(makeFirstStep(stored)))
        }
        return { result: stored, target: id, after: toInternResponse(stored) }
      })

      /** The intern with the key; `lapsed` when the key has expired and may be reused. */
      const findByKey = Effect.fnUntraced(function* (key: string) {
        const found = yield* store.findByCreationKey(key)
        if (found === undefined) return { existing: undefined, lapsed: undefined }
        const until = found.createdAt + settings.internIdempotencyKeyRetentionMillis
        return found.creation.isReady && until <= (yield* Clock.currentTimeMillis)
          ? { existing: undefined, lapsed: found }
          : { existing: found, lapsed: undefined }
      })

      /**
       * Undefined while another owner prepares the intern. `seenFailures` is the number of failed preparations
       * when the request came.
       */
      const tryFinish = Effect.fnUntraced(function* (
        id: InternId.InternId,
        owner: string,
        seenFailures: number
      ): Effect.fn.Return<
        CreatedIntern | undefined,
        CreationBusy | UpstreamUnavailable | WrongStatus
      > {
        const now = yield* store.find(id)
        if (now === undefined) return yield* new CreationBusy({ intern: id })
        const { creation, status } = now
        if (creation.isReady) return { intern: now, isNew: false }
        if (isDeleting(now)) return yield* new WrongStatus({ status, event: "begin" })
        // The preparation that this request waited for has failed.
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

      /** `isMine` is true when this request created the intern. */
      const finish = Effect.fnUntraced(function* (intern: Intern, isMine: boolean) {
        const { creation, id } = intern
        if (creation.isReady) return { intern, isNew: isMine }
        const owner = SecureRandom.uuidV4Unsafe()
        const deadline = new Deadline(yield* Clock.Clock, settings.internCreateTimeoutMillis)
        while (true) {
          const finished = yield* tryFinish(id, owner, creation.failures)
          if (finished !== undefined) return finished
          if (deadline.now() >= deadline.at) return yield* new CreationBusy({ intern: id })
          yield* Effect.sleep(pollIntervalMillis)
        }
      })

      const create = Effect.fnUntraced(function* (
        caller: Caller,
        request: NewIntern,
        key?: string
      ): Effect.fn.Return<CreatedIntern, CreateInternError> {
        const { kind: callerKind, user } = caller
        if (user === undefined || callerKind === "organization") return yield* new NoActingUser()
        const identity = yield* toRequestIdentity(caller, request, key)
        const { existing, lapsed } = yield* findByKey(identity.key)
        if (existing !== undefined) {
          return yield* finish(yield* requireSameRequest(existing, identity), false)
        }
        const intern = yield* makeIntern(caller, user, request, identity)
        const result = yield* audit.change(
          caller,
          "intern.create",
          storeIntern(caller, intern, lapsed)
        )
        return yield* finish(yield* requireSameRequest(result, identity), result.id === intern.id)
      })

      return { create }
    })
  ).pipe(Layer.provide([InternPreparer.layer, InternUpdater.layer]))
}

const encoder = new TextEncoder()

const isVaultId = Schema.is(VaultId.VaultId)

/**
 * Milliseconds to store that the intern is prepared. After a crash, another request waits until the claim
 * expires, which must be sooner than the timeout of a create.
 */
const writeMarginMillis = 5_000

/** Milliseconds between two reads of an intern that another owner prepares. */
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

const requireSameRequest = (intern: Intern, { fingerprint }: RequestIdentity) =>
  intern.creation.fingerprint === fingerprint
    ? Effect.succeed(intern)
    : Effect.fail(new IdempotencyKeyReused())
