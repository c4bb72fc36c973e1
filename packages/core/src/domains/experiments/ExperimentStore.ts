/** Stores how experiments stand. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ExperimentMeasures } from "./ExperimentMeasures.ts"
import type { ExperimentEnd, ExperimentState } from "./ExperimentState.ts"

/** Stores how experiments stand, by their ids. */
export class ExperimentStore extends Context.Service<
  ExperimentStore,
  {
    /** Returns the state; without one, creates a first run that starts at `at`. Race: one creation wins. */
    readonly open: (id: string, at: number) => Effect.Effect<ExperimentState>
    /**
     * `addToState`, and the state after it. Race: what several processes add at once adds up. An unknown id starts a first
     * run at `at`.
     */
    readonly add: (
      id: string,
      run: number,
      measured: ExperimentMeasures,
      at: number
    ) => Effect.Effect<ExperimentState>
    /** Ends run `run` if it is running. Race: true for the one call that ended it. */
    readonly end: (id: string, run: number, end: ExperimentEnd) => Effect.Effect<boolean>
    /** Starts the run after `run` if that has ended. Race: true for the one call that started it. */
    readonly restart: (id: string, run: number, at: number) => Effect.Effect<boolean>
  }
>()("@signalbox/core/domains/experiments/ExperimentStore") {}
