/** Where interns run: what a host of them must be able to do. A port. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { AccountId } from "../../values/ids/AccountId.ts"
import type { UserId } from "../../values/ids/UserId.ts"
import type { WorkspaceId } from "../../values/ids/WorkspaceId.ts"
import type { SecretUnreadable } from "../../vaults/VaultErrors.ts"
import type { ReleasedSecret } from "../../vaults/Vaults.ts"
import type { InternId } from "../InternId.ts"
import type { InternAnswer, InternChatError, InternTurn } from "../chat/InternTurn.ts"

/** A host of interns did not do what it was asked. */
export class InternHostFailure extends Data.TaggedError("InternHostFailure")<{
  /** Shown to callers, its first 500 characters: without secrets. */
  readonly problem: string
  /** Trying again is of no use. */
  readonly isFinal?: boolean
}> {}

/** The intern that is meant, and what it is to be run with. */
export interface InternHostView {
  readonly id: InternId
  readonly account: AccountId
  readonly workspace: WorkspaceId
  readonly creator: UserId
  readonly name: string
  /** Null: the default of the workspace. */
  readonly model: string | null
  readonly instructions: string | null
  /** Null until it was provisioned. */
  readonly hostname: string | null
  /** Counts provisions, suspensions and the teardown. */
  readonly run: number
  /** What each step left when it was last done, in this run or an earlier one, by its place in `steps`. */
  readonly notes: ReadonlyArray<string | null>
}

/** The same, with its secrets. */
export interface HostedIntern extends InternHostView {
  /**
   * The secrets a request to this host may carry: of its own vault and of the one it borrows. Ask anew for each
   * request; they may change, or be taken away.
   */
  readonly releaseSecrets: (
    host: string
  ) => Effect.Effect<ReadonlyArray<ReleasedSecret>, SecretUnreadable>
}

/** One step of provisioning. Each runs at least once: a process may end in the middle of it. */
export interface InternStep {
  /** Shown as `progress.step_label`. */
  readonly label: string
  /** Repeatable. What it gives is kept for the steps after it: ids and addresses, never a secret. */
  readonly run: (intern: HostedIntern) => Effect.Effect<string | void, InternHostFailure>
  /** Takes back what the step did: all of it, or what there is when it failed half-way. Repeatable. */
  readonly undo?: (intern: HostedIntern) => Effect.Effect<void, InternHostFailure>
}

/**
 * Of one intern one thing is done at a time, unless a call takes longer than `Settings.internStepTimeoutMillis`: it is
 * interrupted then, and counts as failed. Turns of conversations are apart from that, and may be many at once.
 */
export interface InternHost {
  /** Names it in logs. */
  readonly slug: string
  /** A new intern waits for whoever installs it, in place of being stopped; default: no. */
  readonly needsSlackInstall?: boolean
  /**
   * Its interns answer through a model of this service: one that names none, in a workspace without a default, is not
   * provisioned; default: no.
   */
  readonly needsModel?: boolean
  /**
   * What a new intern needs before anything else, while its creator waits, at the most
   * `Settings.internPrepareTimeoutMillis`. Repeatable.
   */
  readonly prepare?: (intern: HostedIntern) => Effect.Effect<void, InternHostFailure>
  /** First boot, or resumption after a suspension: one after the other. */
  readonly steps: readonly [InternStep, ...ReadonlyArray<InternStep>]
  /**
   * Where it is reached once its steps are done, in lower case; null: nowhere of its own. It must not throw, and no two
   * interns may have one: their names are not unique.
   */
  readonly toHostname?: (intern: InternHostView) => string | null
  /**
   * Such as `interns.example.com`: chats that are sent to this router at a name under it, `POST
   * {mount}/api/v1/chat/completions`, are those of the intern that is reached there, and of nobody where there is none.
   * Default: hostnames are served elsewhere, or not at all.
   */
  readonly domain?: string
  /**
   * Answers one turn, of an intern that runs. What is failed with before the answer is there is the status of the
   * request; afterwards it is told in the stream. The scope is the turn's: a caller that leaves closes it, and so does
   * `Settings.internChatTimeoutMillis`. Default: its interns do not talk.
   */
  readonly chat?: (
    intern: HostedIntern,
    turn: InternTurn
  ) => Effect.Effect<InternAnswer, InternChatError, Scope.Scope>
  /** Stops it and leaves its disk and settings. Repeatable. */
  readonly suspend: (intern: HostedIntern) => Effect.Effect<void, InternHostFailure>
  /** Keeps what it has worked on, before it is destroyed; never asked about one that was not provisioned. Repeatable. */
  readonly archive?: (intern: HostedIntern) => Effect.Effect<void, InternHostFailure>
  /** Takes down whatever there is of it. Repeatable. */
  readonly destroy: (intern: HostedIntern) => Effect.Effect<void, InternHostFailure>
}

/** Shown to callers when an intern needs a model and has none. */
export const noModelMessage =
  "the intern has no model: PATCH its model, or give its workspace a default_text_model, and provision it again"

/** The service of a host of interns. */
export class InternHostService extends Context.Service<InternHostService, InternHost>()(
  "@signalbox/core/interns/host/InternHost/InternHostService"
) {}
