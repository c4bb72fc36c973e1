/** Provisions no intern that could not answer: one without a model, where its host needs one. */
import * as Effect from "effect/Effect"
import { CurrentWorkspaceDefaults, findTextModel } from "../workspaces/WorkspaceDefaults.ts"
import { WorkspaceStore } from "../workspaces/WorkspaceStore.ts"
import type { Intern } from "./Intern.ts"
import { InternHostFailure, InternHostService } from "./host/InternHost.ts"

export const makeInternModelChecker = Effect.gen(function* () {
  const { needsModel = false } = yield* InternHostService
  const defaults = yield* CurrentWorkspaceDefaults
  const workspaces = yield* WorkspaceStore

  return Effect.fnUntraced(function* ({ account, run, workspace }: Intern) {
    if (!needsModel || run.model !== null) return
    if (findTextModel(yield* workspaces.findById(account, workspace), defaults) !== undefined)
      return
    return yield* new InternHostFailure({ isFinal: true, problem: noModelMessage })
  })
})

const noModelMessage =
  "the intern has no model: PATCH its model, or give its workspace a default_text_model, and provision it again"
