/** What the errors of the domains mean. */
import type { NotLabelable } from "../../domains/calibration/Calibrations.ts"
import type { CustomerExists } from "../../domains/customers/Customer.ts"
import type {
  CreationBusy,
  IdempotencyKeyReused,
  LossUnacknowledged,
  NameTaken,
  NoActingUser,
  UpstreamUnavailable,
  WrongStatus
} from "../../domains/interns/Intern.ts"
import type {
  InternChatFailure,
  InternChatReason
} from "../../domains/interns/chat/InternChatRequest.ts"
import type { InternEvent } from "../../domains/interns/InternStatus.ts"
import type { AuthCodeRefused, ConsentRefused, PkceOff } from "../../domains/pkce/AuthCode.ts"
import type { PersonHeld } from "../../domains/people/LegalHold.ts"
import type { SecretUnbound, SecretUnreadable, VaultClosed } from "../../domains/vaults/Vault.ts"
import type {
  AllRateLimited,
  ContentGone,
  ContentUnavailable,
  NotCompleted,
  RangeNotSatisfiable,
  TooManyActiveJobs
} from "../../domains/videos/VideoStatus.ts"
import type { ControlChanged } from "../../engine/health/control/TrafficControl.ts"
import type { BlobFailed } from "../../instance/BlobStore.ts"
import type { PresetReadOnly, PresetUnavailable } from "../../domains/presets/Preset.ts"
import { type ErrorFacts, type ErrorTable, turnFailed } from "./ErrorFacts.ts"

/** Errors of calibration. */
export const calibrationErrorFacts: ErrorTable<NotLabelable> = {
  NotLabelable: ({ id }) => ({
    status: 400,
    message: `The generation ${id} cannot be labelled: only a Decision answered with calibration: { mode: "auto" } can`,
    reason: "not_labelable",
    retryable: false
  })
}

/** Errors of applications that sign in. */
export const pkceErrorFacts: ErrorTable<AuthCodeRefused | ConsentRefused | PkceOff> = {
  AuthCodeRefused: () => ({
    status: 403,
    message:
      "The code is unknown, used or older than ten minutes, or code_verifier does not belong to it; start signing in again",
    reason: "invalid_auth_code",
    retryable: false
  }),
  ConsentRefused: ({ problem }) => ({
    status: 403,
    message: `No code was made: ${problem}`,
    reason: "consent_refused",
    retryable: false
  }),
  PkceOff: () => ({
    status: 403,
    message: "Applications cannot sign in here; the host switches that on by the option pkce",
    reason: "pkce_off",
    retryable: false
  })
}

/** Errors of persons. */
export const personErrorFacts: ErrorTable<PersonHeld> = {
  PersonHeld: () => ({
    status: 409,
    message:
      "The records of this person are held, and were not erased; see legalHold of the options",
    reason: "legal_hold",
    retryable: false
  })
}

/** Errors of presets. */
export const presetErrorFacts: ErrorTable<PresetReadOnly | PresetUnavailable> = {
  PresetReadOnly: ({ slug }) => ({
    status: 409,
    message: `The preset ${slug} is defined in the host's code, and cannot be changed here`,
    reason: "preset_read_only",
    retryable: false
  }),
  PresetUnavailable: ({ slug, status }) => ({
    status: 400,
    message:
      status === "unknown"
        ? `The workspace has no preset ${slug}; GET /api/v1/presets lists them`
        : `The preset ${slug} is ${status}`,
    type: "invalid_request",
    availability: { code: "model_not_found", models: [`@preset/${slug}`] },
    internChat: turnFailed
  })
}

/** Errors of traffic controls. */
export const trafficErrorFacts: ErrorTable<ControlChanged> = {
  ControlChanged: ({ kind, version }) => ({
    status: 409,
    message: `The control of the ${kind} has changed: its version is ${version}`,
    reason: "control_changed",
    retryable: false
  })
}

/** Errors of customers. */
export const customerErrorFacts: ErrorTable<CustomerExists> = {
  CustomerExists: ({ difference, slug }) => ({
    status: 409,
    message: `${slug} ${difference}`,
    reason: "customer_exists",
    retryable: false
  })
}

type VaultError = SecretUnbound | SecretUnreadable | VaultClosed

/** Errors of vaults. */
export const vaultErrorFacts: ErrorTable<VaultError> = {
  SecretUnbound: ({ name }) => ({
    status: 409,
    message: `The secret ${name} is bound to no host, and cannot be copied`,
    type: "secret_unbound",
    details: { name }
  }),
  VaultClosed: () => ({ status: 409, message: "The vault is closed", type: "vault_closed" }),
  // Only the log names the missing sealing key.
  SecretUnreadable: ({ name }) => ({
    status: 500,
    message: `The secret ${name} cannot be read any more; put it again`,
    type: "secret_unreadable",
    details: { name }
  })
}

type InternError =
  | CreationBusy
  | IdempotencyKeyReused
  | InternChatFailure
  | LossUnacknowledged
  | NameTaken
  | NoActingUser
  | UpstreamUnavailable
  | WrongStatus

/** Errors of interns and of chats with them. */
export const internErrorFacts: ErrorTable<InternError> = {
  NoActingUser: () => ({
    status: 403,
    message: "The key acts as the organization; an intern belongs to a member",
    reason: "no_acting_user",
    retryable: false,
    intern: { code: "no_acting_user" }
  }),
  NameTaken: ({ name }) => ({
    status: 409,
    message: `You have an intern called ${name} in this workspace`,
    reason: "name_taken",
    retryable: false
  }),
  IdempotencyKeyReused: () => ({
    status: 409,
    message: "The Idempotency-Key was used for another request",
    reason: "idempotency_key_reused",
    retryable: false,
    intern: { code: "idempotency_key_reused" }
  }),
  CreationBusy: () => ({
    status: 409,
    message: "The same request is still being worked on; send it again",
    reason: "busy",
    retryable: true,
    retryAfterMillis: 1_000
  }),
  UpstreamUnavailable: ({ problem }) => ({
    status: 502,
    message: `The intern was created, but is not set up; send the same request again (${problem})`,
    reason: "not_set_up",
    retryable: true,
    retryAfterMillis: 1_000
  }),
  WrongStatus: ({ event, status }) => ({
    status: 409,
    message:
      `The intern is ${status}, and cannot be ${eventParticiples[event]}` +
      (event === "provision" && status === "running" ? "; suspend it first" : ""),
    reason: "wrong_status",
    // A queued or provisioning intern can be suspended once it runs.
    retryable: event === "suspend" && (status === "queued" || status === "provisioning"),
    details: { status }
  }),
  LossUnacknowledged: () => ({
    status: 409,
    message:
      "What the intern worked on could not be archived; acknowledge_workspace_loss deletes it nevertheless",
    reason: "workspace_loss_unacknowledged",
    retryable: false
  }),
  InternChatFailure: ({ isRetryable = false, problem, reason, retryAfterMillis = 1_000 }) => {
    const { hasRetryAfter = false, retryable = isRetryable, status } = chatFailures[reason]
    return {
      status,
      message: problem,
      reason,
      retryable,
      ...(hasRetryAfter ? { retryAfterMillis } : undefined)
    }
  }
}

const eventParticiples: Readonly<Record<InternEvent, string>> = {
  provision: "provisioned",
  begin: "set up",
  succeed: "set up",
  fail: "set up",
  suspend: "suspended",
  delete: "deleted",
  destroyFail: "deleted"
}

interface ChatFailure extends Pick<ErrorFacts, "status"> {
  /** Absent: the failure itself says it. */
  readonly retryable?: boolean
  /** The response has `Retry-After`. */
  readonly hasRetryAfter?: boolean
}

const chatFailures: Readonly<Record<InternChatReason, ChatFailure>> = {
  attachment_failed: { status: 502, retryable: false },
  bad_request: { status: 400, retryable: false },
  busy: { status: 409, retryable: true, hasRetryAfter: true },
  client_closed_request: { status: 408, retryable: false },
  interaction_not_pending: { status: 409, retryable: false },
  interaction_unknown: { status: 404, retryable: false },
  intern_not_ready: { status: 409, retryable: true },
  intern_rejected: { status: 502, retryable: false },
  intern_unreachable: { status: 502, retryable: true },
  not_found: { status: 404, retryable: false },
  payload_too_large: { status: 413, retryable: false },
  rate_limited: { status: 429, retryable: true, hasRetryAfter: true },
  run_ended: { status: 410, retryable: false },
  stream_severed: { status: 502, retryable: true },
  timeout: { status: 504, retryable: true },
  turn_failed: { status: 502 }
}

type VideoError =
  | AllRateLimited
  | BlobFailed
  | ContentGone
  | ContentUnavailable
  | NotCompleted
  | RangeNotSatisfiable
  | TooManyActiveJobs

/** Errors of video jobs and their files. */
export const videoErrorFacts: ErrorTable<VideoError> = {
  AllRateLimited: ({ models, retryAfterMillis }) => ({
    status: 429,
    message: "All providers of the model have reached their rate limits",
    type: "rate_limit_exceeded",
    availability: { code: "capacity_exhausted", models },
    retryAfterMillis
  }),
  TooManyActiveJobs: ({ limit }) => ({
    status: 429,
    message: `The account has ${limit} video jobs that are not over, as many as it may have; wait until one has ended, or cancel one`,
    type: "rate_limit_exceeded",
    // About how often most providers are polled.
    retryAfterMillis: 10_000
  }),
  NotCompleted: ({ status }) => ({
    status: 409,
    message: `The video job is ${status}, not completed`,
    type: "not_completed",
    details: { status }
  }),
  ContentGone: () => ({
    status: 410,
    message: "The video is no longer available",
    type: "gone"
  }),
  RangeNotSatisfiable: ({ total }) => ({
    status: 416,
    message: "The video has not the bytes that were asked for",
    type: "range_not_satisfiable",
    ...(total === undefined ? undefined : { headers: { "content-range": `bytes */${total}` } })
  }),
  BlobFailed: () => ({
    status: 502,
    message: "The video cannot be read from where it is kept",
    type: "storage_unavailable"
  }),
  ContentUnavailable: ({ provider }) => ({
    status: 502,
    message: "The provider did not hand out the video",
    type: "provider_unavailable",
    availability: { code: "provider_unavailable", models: [] },
    details: { provider_name: provider }
  })
}
