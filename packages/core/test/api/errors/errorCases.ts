/** Every expected error, in each variant with a different status. */
import { ContentBlocked } from "../../../src/routing/filters/FilterReport.ts"
import { AuthCodeRefused, ConsentRefused, PkceOff } from "../../../src/domains/pkce/AuthCode.ts"
import { PersonHeld } from "../../../src/domains/people/LegalHold.ts"
import {
  BundleUnknown,
  CustomerSuspended,
  CrossOriginRequest,
  NotPermitted,
  WorkspaceNotFound,
  RateLimited,
  Unauthenticated
} from "../../../src/tenants/auth/AuthErrors.ts"
import {
  InternChatFailure,
  type InternChatReason
} from "../../../src/domains/interns/chat/InternChatRequest.ts"
import type { ExpectedError } from "../../../src/api/errors/errorTable.ts"
import {
  BodyTimedOut,
  NotJson,
  RegionalHostname,
  RequestTimedOut,
  UnsupportedContentCoding,
  WorkspaceMismatch
} from "../../../src/api/errors/HttpErrors.ts"
import {
  CreationBusy,
  IdempotencyKeyReused,
  LossUnacknowledged,
  NameTaken,
  NoActingUser,
  UpstreamUnavailable,
  WrongStatus
} from "../../../src/domains/interns/Intern.ts"
import { ControlChanged } from "../../../src/engine/health/control/TrafficControl.ts"
import { CustomerExists } from "../../../src/domains/customers/Customer.ts"
import { PresetReadOnly, PresetUnavailable } from "../../../src/domains/presets/Preset.ts"
import { InternId } from "../../../src/domains/interns/InternId.ts"
import { internEvents } from "../../../src/domains/interns/InternStatus.ts"
import { LimitExceeded } from "../../../src/engine/ledger/LedgerErrors.ts"
import { ModelNotListed } from "../../../src/domains/listing/Listing.ts"
import {
  AttemptsFailed,
  ContextLengthExceeded,
  DeadlineExceeded,
  EndpointBusy,
  ModelNotFound,
  NoEndpoints,
  WrongOperation
} from "../../../src/routing/RoutingErrors.ts"
import {
  FailureKind,
  UpstreamFailure
} from "../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import { make as nano, zero } from "../../../src/values/usage/NanoUsd.ts"
import {
  InvalidRequest,
  RequestTooLarge,
  ResourceNotFound
} from "../../../src/values/errors/RequestErrors.ts"
import { StoreUnavailable } from "../../../src/values/errors/StoreUnavailable.ts"
import { NotLabelable } from "../../../src/domains/calibration/Calibrations.ts"
import { SecretUnbound, SecretUnreadable, VaultClosed } from "../../../src/domains/vaults/Vault.ts"
import { BlobFailed } from "../../../src/instance/BlobStore.ts"
import {
  AllRateLimited,
  ContentGone,
  ContentUnavailable,
  NotCompleted,
  RangeNotSatisfiable,
  TooManyActiveJobs
} from "../../../src/domains/videos/VideoStatus.ts"
import { makeCandidate } from "../../routing/makeCandidate.ts"
import { QuotaExceeded } from "../../../src/values/enforceQuota.ts"

export const models = ["a/b"]
const intern = InternId.make("intern_0123456789abcdefghij")
const limitOf = (kind: "credits" | "key" | "workspace") =>
  new LimitExceeded({
    amount: nano(1n),
    available: zero,
    limit: {
      kind,
      id: "one",
      interval: "lifetime",
      window: "lifetime",
      endsAt: Infinity,
      countsByok: false,
      cap: zero
    }
  })

export const chatReasons: ReadonlyArray<InternChatReason> = [
  "attachment_failed",
  "bad_request",
  "busy",
  "client_closed_request",
  "interaction_not_pending",
  "interaction_unknown",
  "intern_not_ready",
  "intern_rejected",
  "intern_unreachable",
  "not_found",
  "payload_too_large",
  "rate_limited",
  "run_ended",
  "stream_severed",
  "timeout",
  "turn_failed"
]

/** The type requires every tag. */
export const errorCases: {
  readonly [Tag in ExpectedError["_tag"]]: ReadonlyArray<Extract<ExpectedError, { _tag: Tag }>>
} = {
  AllRateLimited: [new AllRateLimited({ models, retryAfterMillis: 1 })],
  AttemptsFailed: FailureKind.literals.map(
    (kind) =>
      new AttemptsFailed({
        models,
        isFinal: false,
        attempts: [
          {
            candidate: makeCandidate({ provider: "one" }),
            chargedAt: 0,
            startedAt: 0,
            latencyMillis: 0,
            failure: new UpstreamFailure({ kind })
          }
        ]
      })
  ),
  BlobFailed: [new BlobFailed({ problem: "it is gone" })],
  // Every operation returns it; tested separately.
  BodyBufferFull: [],
  BodyTimedOut: [new BodyTimedOut({ timeoutMillis: 1 })],
  BundleUnknown: [new BundleUnknown({ bundle: "starter" })],
  PresetReadOnly: [new PresetReadOnly({ slug: "house" })],
  PresetUnavailable: [
    new PresetUnavailable({ slug: "support", status: "unknown" }),
    new PresetUnavailable({ slug: "support", status: "disabled" })
  ],
  ControlChanged: [new ControlChanged({ kind: "endpoint", version: 2 })],
  CustomerExists: [new CustomerExists({ slug: "acme", difference: "has the bundle pro" })],
  CustomerSuspended: [
    new CustomerSuspended({ customer: "acme", reason: "the invoice is overdue" })
  ],
  ContextLengthExceeded: [
    new ContextLengthExceeded({
      models,
      inputTokens: 9,
      outputTokens: 0,
      limit: 8,
      rejected: []
    })
  ],
  CrossOriginRequest: [
    new CrossOriginRequest({ origin: "https://evil.example" }),
    new CrossOriginRequest({ origin: undefined })
  ],
  CreationBusy: [new CreationBusy({ intern })],
  ContentBlocked: [
    new ContentBlocked({ label: "[EMAIL]" }),
    new ContentBlocked({ label: "[PROMPT_INJECTION]", patterns: ["ignore_instructions"] }),
    new ContentBlocked({ label: "[EMAIL]", isAnswer: true })
  ],
  ContentGone: [new ContentGone()],
  ContentUnavailable: [new ContentUnavailable({ provider: "One" })],
  // It ends streams, whose status has already been sent.
  Draining: [],
  IdempotencyKeyReused: [new IdempotencyKeyReused()],
  InternChatFailure: chatReasons.map((reason) => new InternChatFailure({ reason, problem: "x" })),
  InvalidRequest: [new InvalidRequest({ path: [], problem: "x" })],
  LimitExceeded: (["credits", "key", "workspace"] as const).map(limitOf),
  LossUnacknowledged: [new LossUnacknowledged()],
  ResourceNotFound: [new ResourceNotFound({ resource: "video", id: "x" })],
  ModelNotFound: [new ModelNotFound({ model: "a/b" })],
  ModelNotListed: [new ModelNotListed({ model: "a/b" })],
  NameTaken: [new NameTaken({ name: "ada" })],
  NoActingUser: [new NoActingUser()],
  NoEndpoints: [new NoEndpoints({ models, rejected: [] })],
  RangeNotSatisfiable: [new RangeNotSatisfiable({ total: 9 })],
  NotJson: [new NotJson()],
  NotCompleted: [new NotCompleted({ status: "pending" })],
  WorkspaceNotFound: [new WorkspaceNotFound({ account: "acme", workspace: "lab" })],
  NotPermitted: [new NotPermitted({ kind: "member", needs: "a management key" })],
  WorkspaceMismatch: [new WorkspaceMismatch()],
  DeadlineExceeded: [new DeadlineExceeded({ models })],
  EndpointBusy: [
    new EndpointBusy({ models, limit: 2 }),
    new EndpointBusy({ models, limit: 2, queue: "full" }),
    new EndpointBusy({ models, limit: 2, queue: "timeout" })
  ],
  PersonHeld: [new PersonHeld()],
  AuthCodeRefused: [new AuthCodeRefused()],
  ConsentRefused: [new ConsentRefused({ problem: "the workspace is not that of the caller" })],
  PkceOff: [new PkceOff()],
  QuotaExceeded: [
    new QuotaExceeded({ what: "interns", of: "account", most: 1, setting: "maxInternsPerAccount" }),
    new QuotaExceeded({ what: "versions", of: "preset", most: 1, setting: "maxVersionsPerPreset" })
  ],
  RateLimited: [new RateLimited({ limit: 1, resetAt: 1, retryAfterMillis: 1 })],
  RegionalHostname: [new RegionalHostname()],
  RequestTimedOut: [new RequestTimedOut({ timeoutMillis: 1 })],
  RequestTooLarge: [new RequestTooLarge({ limitBytes: 1 })],
  SecretUnbound: [new SecretUnbound({ name: "token" })],
  SecretUnreadable: [new SecretUnreadable({ name: "token", sealedUnder: "k1" })],
  StoreUnavailable: [new StoreUnavailable({ cause: "x" })],
  TooManyActiveJobs: [new TooManyActiveJobs({ limit: 1 })],
  Unauthenticated: (["missing_key", "unknown_key", "management_key"] as const).map(
    (reason) => new Unauthenticated({ reason })
  ),
  UnsupportedContentCoding: [new UnsupportedContentCoding({ coding: "zstd", supported: ["gzip"] })],
  UpstreamUnavailable: [new UpstreamUnavailable({ intern, problem: "no room" })],
  NotLabelable: [new NotLabelable({ id: "gen-dec-1" })],
  VaultClosed: [new VaultClosed()],
  WrongOperation: [new WrongOperation({ model: "a/b", operation: "videos" })],
  WrongStatus: internEvents.map((event) => new WrongStatus({ status: "queued", event }))
}
