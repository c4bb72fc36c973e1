/** What a caller is told when an intern does not come about, or does not move on. Source: wire, Interns. */
import type {
  CreationBusy,
  IdempotencyKeyReused,
  LossUnacknowledged,
  NameTaken,
  NoActingUser,
  UpstreamUnavailable,
  WrongStatus
} from "../../interns/InternErrors.ts"
import type { InternEvent } from "../../interns/lifecycle.ts"
import { type ErrorResponse, toRetryAfterHeader } from "./ErrorResponse.ts"

export type InternError =
  | CreationBusy
  | IdempotencyKeyReused
  | LossUnacknowledged
  | NameTaken
  | NoActingUser
  | UpstreamUnavailable
  | WrongStatus

export const toInternErrorResponse = (error: InternError): ErrorResponse => {
  switch (error._tag) {
    case "NoActingUser":
      return {
        status: 403,
        code: "no_acting_user",
        message: "The key acts as the organization; an intern belongs to a member",
        metadata: { reason: "no_acting_user", retryable: false }
      }
    case "NameTaken":
      return {
        status: 409,
        message: `You have an intern called ${error.name} in this workspace`,
        metadata: { reason: "name_taken", retryable: false }
      }
    case "IdempotencyKeyReused":
      return {
        status: 409,
        code: "idempotency_key_reused",
        message: "The Idempotency-Key was used for another request",
        metadata: { reason: "idempotency_key_reused", retryable: false }
      }
    case "CreationBusy":
      return {
        status: 409,
        message: "The same request is still being worked on; send it again",
        metadata: { reason: "busy", retryable: true },
        headers: toRetryAfterHeader(1_000)
      }
    case "UpstreamUnavailable":
      return {
        status: 502,
        code: "upstream_unavailable",
        message: `The intern was created, but is not set up; send the same request again (${error.problem})`,
        metadata: { reason: "not_set_up", retryable: true },
        headers: toRetryAfterHeader(1_000)
      }
    case "WrongStatus":
      return {
        status: 409,
        message:
          `The intern is ${error.status}, and cannot be ${eventParticiples[error.event]}` +
          (error.event === "provision" && error.status === "running" ? "; suspend it first" : ""),
        metadata: {
          reason: "wrong_status",
          // What is about to run can be suspended once it does.
          retryable:
            error.event === "suspend" &&
            (error.status === "queued" || error.status === "provisioning"),
          status: error.status
        }
      }
    case "LossUnacknowledged":
      return {
        status: 409,
        message:
          "What the intern worked on could not be archived; acknowledge_workspace_loss deletes it nevertheless",
        metadata: { reason: "workspace_loss_unacknowledged", retryable: false }
      }
  }
}

/** What was to be done with it, as a participle. */
const eventParticiples: Readonly<Record<InternEvent, string>> = {
  provision: "provisioned",
  begin: "set up",
  succeed: "set up",
  fail: "set up",
  suspend: "suspended",
  delete: "deleted",
  destroyFail: "deleted"
}
