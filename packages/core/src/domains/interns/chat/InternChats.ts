/** Runs chat turns of interns. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { Caller } from "../../../tenants/auth/Caller.ts"
import type { ResourceNotFound } from "../../../values/errors/RequestErrors.ts"
import type { Intern } from "../Intern.ts"
import type { InternChatChunk } from "./InternChatChunk.ts"
import type { InternChunkHead } from "./toInternChunks.ts"
import type { InternTurnRequest, InternAnswer, InternChatError } from "./InternTurn.ts"
import { importNamed, layerOnDemand } from "../../../values/layerOnDemand.ts"

/** A started answer. */
export interface InternChatStream extends InternChunkHead {
  readonly type: "stream"
  /** The session that a later turn continues. */
  readonly session: string
  /** The last chunk has the usage. Fails when the answer breaks off. Can be read once. */
  readonly chunks: Stream.Stream<InternChatChunk, InternChatError>
}

/** Chats with interns. */
export class InternChats extends Context.Service<
  InternChats,
  {
    /** The intern with this hostname, if it is in the workspace of the caller. */
    readonly getByHostname: (
      caller: Caller,
      hostname: string
    ) => Effect.Effect<Intern, ResourceNotFound>
    /**
     * Starts a turn of a running intern for a caller of its workspace. The caller pays for the model. Closing the
     * scope ends the turn.
     */
    readonly chat: (
      caller: Caller,
      intern: Intern,
      turn: InternTurnRequest
    ) => Effect.Effect<
      InternChatStream | Extract<InternAnswer, { type: "steered" }>,
      InternChatError,
      Scope.Scope
    >
  }
>()("@signalbox/core/domains/interns/chat/InternChats") {
  static readonly layer = layerOnDemand(
    InternChats,
    {
      getByHostname: "call",
      chat: "call"
    },
    importNamed(() => import("./layerInternChats.ts"), "layerInternChats")
  )
}
