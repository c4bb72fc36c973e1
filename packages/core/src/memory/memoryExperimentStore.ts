/** ExperimentStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  addToState,
  endRun,
  type ExperimentState,
  startRun
} from "../domains/experiments/ExperimentState.ts"
import { ExperimentStore } from "../domains/experiments/ExperimentStore.ts"
import { MemoryJournal } from "./MemoryJournal.ts"
import { makeMemoryTable } from "./makeMemoryTable.ts"

export const memoryExperimentStore: Layer.Layer<ExperimentStore, never, MemoryJournal> =
  Layer.effect(
    ExperimentStore,
    Effect.map(MemoryJournal, (journal) => {
      const table = makeMemoryTable<string, ExperimentState>(journal)
      return {
        open: (id, at) =>
          table.edit((draft) => {
            const state = draft.get(id) ?? startRun(id, 1, at)
            if (!draft.has(id)) draft.set(id, state)
            return state
          }),
        add: (id, run, measured, at) =>
          table.edit((draft) => {
            const state = addToState(draft.get(id) ?? startRun(id, 1, at), run, measured)
            draft.set(id, state)
            return state
          }),
        end: (id, run, end) =>
          table.edit((draft) => {
            const state = draft.get(id)
            if (state?.run !== run || state.status !== "running") return false
            draft.set(id, endRun(state, end))
            return true
          }),
        restart: (id, run, at) =>
          table.edit((draft) => {
            const state = draft.get(id)
            if (state?.run !== run || state.status === "running") return false
            draft.set(id, startRun(id, run + 1, at))
            return true
          })
      }
    })
  )
