/** Provisions no intern that could not answer: one without a model, where its host needs one. */
import * as Effect from "effect/Effect"
import { DefaultsOfWorkspaces, textModelOf } from "../workspaces/WorkspaceDefaults.ts"
import { WorkspaceStore } from "../workspaces/WorkspaceStore.ts"
import type { Intern } from "./Intern.ts"
import { InternHostFailure, InternHosting } from "./InternHost.ts"

export const checkingModel = Effect.gen(function* () {
  const { needsModel = false } = yield* InternHosting
  const defaults = yield* DefaultsOfWorkspaces
  const workspaces = yield* WorkspaceStore

  return Effect.fnUntraced(function* ({ account, run, workspace }: Intern) {
    if (!needsModel || run.model !== null) return
    if (textModelOf(yield* workspaces.findById(account, workspace), defaults) !== undefined) return
    return yield* new InternHostFailure({ isFinal: true, problem: modelless })
  })
})

const modelless =
  "the intern has no model: PATCH its model, or give its workspace a default_text_model, and provision it again"
