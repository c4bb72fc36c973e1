/** Takes note of every generation: keeps its record, counts it, logs it, and tells who wants to know. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AccountId } from "../values/AccountId.ts"
import { GenerationId } from "../values/GenerationId.ts"
import { Missing } from "../values/RequestErrors.ts"
import type { Broadcast } from "./Broadcast.ts"
import type { Generation } from "./Generation.ts"
import { GenerationStore } from "./GenerationStore.ts"
import { type Content, IoLog } from "./IoLog.ts"
import { logLine } from "./logLine.ts"
import { Metrics } from "./Metrics.ts"
import { telling } from "./telling.ts"
import type { Wishes } from "./Wishes.ts"

/** Whose records are looked at. */
export interface Owner {
  readonly account: string
  /** Absent: all of the account's. */
  readonly workspace?: string
}

/** Keeps, counts and hands on the record of every request. */
export class Generations extends Context.Service<
  Generations,
  {
    /**
     * Called once for each, answered or not. Never fails: an answer is worth more than its record. `content`
     * goes to the host's I/O log and nowhere else.
     */
    readonly ended: (generation: Generation, content: Content) => Effect.Effect<void>
    /** Whether `content` may be wanted by anybody: else nobody needs to keep it until then. */
    readonly isContentHeard: boolean
    /** What is not the owner's is as if it were not there. */
    readonly find: (owner: Owner, id: string) => Effect.Effect<Generation, Missing>
  }
>()("@signalbox/core/observability/Generations") {
  /** `logs`: whether each is a line of the log. */
  static readonly layer = ({
    logs
  }: {
    readonly logs: boolean
  }): Layer.Layer<Generations, never, Broadcast | GenerationStore | IoLog | Metrics | Wishes> =>
    Layer.effect(
      Generations,
      Effect.gen(function* () {
        const { isHeard } = yield* IoLog
        const metrics = yield* Metrics
        const store = yield* GenerationStore
        const tell = yield* telling

        return {
          isContentHeard: isHeard,
          ended: Effect.fnUntraced(function* (generation, content) {
            metrics.count(generation)
            yield* tell(generation, content)
            if (logs) yield* logLine(generation)
            yield* Effect.catchCause(
              Effect.suspend(() => store.record(generation)),
              (cause) => Effect.logError(`${generation.id} could not be recorded`, cause)
            )
          }),
          find: Effect.fnUntraced(function* ({ account, workspace }, id) {
            const found = yield* store.find(AccountId.make(account), GenerationId.make(id))
            return found === undefined || (workspace !== undefined && found.workspace !== workspace)
              ? yield* new Missing({ what: "generation", id })
              : found
          })
        }
      })
    )
}
