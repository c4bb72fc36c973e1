/** Errors of interns and of chats with them. */
import type {
  InternChatFailure,
  InternChatReason
} from "../../domains/interns/chat/InternChatErrors.ts"
import type { InternEvent } from "../../domains/interns/lifecycle.ts"
import type { ErrorFacts, ErrorTable } from "./ErrorFacts.ts"
import type {
  CreationBusy,
  IdempotencyKeyReused,
  LossUnacknowledged,
  NameTaken,
  NoActingUser,
  UpstreamUnavailable,
  WrongStatus
} from "../../domains/interns/InternErrors.ts"

type InternError =
  | CreationBusy
  | IdempotencyKeyReused
  | InternChatFailure
  | LossUnacknowledged
  | NameTaken
  | NoActingUser
  | UpstreamUnavailable
  | WrongStatus

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
