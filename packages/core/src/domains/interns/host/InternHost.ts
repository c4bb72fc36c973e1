/** Runs interns. A port. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { AccountId, UserId, WorkspaceId } from "../../../values/ids/Ids.ts"
import type { SecretUnreadable } from "../../vaults/Vault.ts"
import type { ReleasedSecret } from "../../vaults/Vaults.ts"
import type { InternId } from "../InternId.ts"
import type { InternAnswer, InternChatError, InternTurn } from "../chat/InternTurn.ts"

/** A call of the host has failed. */
export class InternHostFailure extends Data.TaggedError("InternHostFailure")<{
  /** Shown to callers up to 500 characters; must contain no secrets. */
  readonly problem: string
  /** A retry cannot succeed. */
  readonly isFinal?: boolean
}> {}

/** An intern as its host sees it. */
export interface InternHostView {
  readonly id: InternId
  readonly account: AccountId
  readonly workspace: WorkspaceId
  readonly creator: UserId
  readonly name: string
  /** Null for the default of the workspace. */
  readonly model: string | null
  readonly instructions: string | null
  /** Null before the first provision. */
  readonly hostname: string | null
  /** Counts provisions, suspensions and the destruction. */
  readonly run: number
  /** The latest result of each step, in this run or an earlier one, by its index in `steps`. */
  readonly notes: ReadonlyArray<string | null>
}

/** An intern with access to its secrets. */
export interface HostedIntern extends InternHostView {
  /**
   * The secrets that requests to `host` may carry, from its own vault and the attached one. Call it for every
   * request, because secrets may change or be removed.
   */
  readonly releaseSecrets: (
    host: string
  ) => Effect.Effect<ReadonlyArray<ReleasedSecret>, SecretUnreadable>
}

/** A step of provisioning. A step may run more than once, because a process may crash during it. */
export interface InternStep {
  /** Shown as `progress.step_label`. */
  readonly label: string
  /** Idempotent. The result, such as an id or a URL but never a secret, is stored for later steps. */
  readonly run: (intern: HostedIntern) => Effect.Effect<string | void, InternHostFailure>
  /** Idempotent. Undoes the step, even when it failed half-way. */
  readonly undo?: (intern: HostedIntern) => Effect.Effect<void, InternHostFailure>
}

/**
 * Calls about one intern are not concurrent. A call that exceeds `Settings.internStepTimeoutMillis` is interrupted
 * and has failed. Chat turns are independent of that, and may be concurrent.
 */
export interface InternHost {
  /** Names the host in logs. */
  readonly slug: string
  /** A new intern is `awaiting_slack_install` instead of `stopped`; default: false. */
  readonly needsSlackInstall?: boolean
  /**
   * Whether provisioning fails for an intern without a model in a workspace without a default one; default: false.
   */
  readonly needsModel?: boolean
  /**
   * Idempotent. Prepares a new intern while the create request waits, at most
   * `Settings.internPrepareTimeoutMillis`.
   */
  readonly prepare?: (intern: HostedIntern) => Effect.Effect<void, InternHostFailure>
  /** The steps of the first boot or of a resumption, run in order. */
  readonly steps: readonly [InternStep, ...ReadonlyArray<InternStep>]
  /**
   * The hostname of a provisioned intern in lower case, or null. It must not throw, and must be unique although
   * names of interns are not.
   */
  readonly toHostname?: (intern: InternHostView) => string | null
  /**
   * For example `interns.example.com`: `POST {mount}/api/v1/chat/completions` at a hostname below it is a chat with
   * the intern of that hostname, or not found. Default: the router does not serve hostnames of interns.
   */
  readonly domain?: string
  /**
   * Answers a turn of a running intern. A failure before the answer sets the status of the response; a later one
   * is an event of the stream. The scope closes when the caller disconnects, or after
   * `Settings.internChatTimeoutMillis`. Default: chat is not supported.
   */
  readonly chat?: (
    intern: HostedIntern,
    turn: InternTurn
  ) => Effect.Effect<InternAnswer, InternChatError, Scope.Scope>
  /** Idempotent. Stops the intern and keeps its disk and settings. */
  readonly suspend: (intern: HostedIntern) => Effect.Effect<void, InternHostFailure>
  /** Idempotent. Archives the work of a provisioned intern before it is destroyed. */
  readonly archive?: (intern: HostedIntern) => Effect.Effect<void, InternHostFailure>
  /** Idempotent. Destroys all that exists of the intern. */
  readonly destroy: (intern: HostedIntern) => Effect.Effect<void, InternHostFailure>
}

/** Shown to callers when an intern needs a model and no model is set. */
export const noModelMessage =
  "the intern has no model: PATCH its model, or give its workspace a default_text_model, and provision it again"

/** The service of a host of interns. */
export class InternHostService extends Context.Service<InternHostService, InternHost>()(
  "@signalbox/core/domains/interns/host/InternHostService"
) {}
